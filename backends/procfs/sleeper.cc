// Reads the identity, the posture and the memory of a thread, or says why it
// cannot.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sleeper.h"

#include <elf.h>

#include "arch/cpu.h"
#include "core/seam/identify.h"
#include "os/clocks.h"

namespace stack9::procfs {
namespace {

int
refuse_file(stack_record &rec, int error) noexcept
{
	switch (error) {
	case ESRCH:
		return refuse(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	case EPERM:
		return refuse(rec, EPERM, STACK9_WHY_RIGHTS,
		    "/proc/TID/syscall needs CAP_SYS_PTRACE, or the same user "
		    "and no Yama");
	default:
		return refuse(rec, error, STACK9_WHY_RESOURCE,
		    error == EMFILE || error == ENFILE ?
		    "out of file descriptors" :
		    "a file of /proc/TID could not be opened or read");
	}
}

int
refuse_kernel_thread(stack_record &rec, const char *reason) noexcept
{
	return refuse(rec, EOPNOTSUPP, STACK9_WHY_KTHREAD, reason);
}

} // namespace

int
sleeper::identify(const stack9_thread &td, stack_record &rec) noexcept
{
	char buffer[1024];
	std::string_view line;
	if (const int error = dir_.read("stat", buffer, line); error != 0)
		return refuse_file(rec, error);
	thread_stat stat;
	if (!parse_stat(line, stat))
		return refuse(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	if (const int error = stack9::identify(stat, td, rec); error != 0)
		return error;
	number(word(line.substr(line.rfind(')') + 2), 9 - 3), flags_);
	return refuse_dead(rec, rec.state);
}

int
sleeper::open(const stack9_thread &td, stack_record &rec) noexcept
{
	tid_ = td.tid;
	if (const int error = dir_.open(tid_); error != 0)
		return refuse_file(rec, error);
	if (const int error = identify(td, rec); error != 0)
		return error;
	return (flags_ & flag_kernel) != 0 ?
	    refuse_kernel_thread(rec, nullptr) : 0;
}

// Root owns the files of a thread that has given its memory back.
int
sleeper::refuse_posture(int error, stack_record &rec) noexcept
{
	if (error != EPERM)
		return refuse_file(rec, error);
	const stack9_thread td = rec.thread;
	if (const int dead = identify(td, rec); dead != 0)
		return dead;
	return (flags_ & flag_exiting) != 0 ?
	    refuse(rec, ESRCH, STACK9_WHY_EXITING, nullptr) :
	    refuse_file(rec, error);
}

int
sleeper::read_posture(posture &p, stack_record &rec) noexcept
{
	thread_status status;
	arrivals_ = reader_.read_arrivals(dir_);
	if (const int error = reader_.read_registers(dir_, p); error != 0)
		return refuse_posture(error, rec);
	rec.when_ns = boot_ns();
	if (const int error = reader_.read_status(dir_, status); error != 0)
		return refuse_posture(error, rec);
	rec.thread.pid = status.pid;
	p.switches = rec.switches = status.switches;
	if (const int dead = refuse_dead(rec, status.state); dead != 0)
		return dead;
	if (p.running || p.sp != 0)
		return 0;
	if ((flags_ & flags_worker) != 0)
		return refuse_kernel_thread(rec,
		    "a worker of the kernel's: it has no user stack");
	// The thread has given its kernel stack back: it is exiting.
	return refuse(rec, ESRCH, STACK9_WHY_EXITING, nullptr);
}

// A thread that has run between two readings of its registers has come to a CPU
// after the first of them, and the arrivals were read before.
int
sleeper::has_moved(const posture &before, bool &moved, stack_record &rec)
    noexcept
{
	posture now;
	if (arrivals_ == 0) {
		const int error = read_posture(now, rec);
		moved = now != before;
		return error;
	}
	if (const int error = reader_.read_registers(dir_, now); error != 0)
		return refuse_posture(error, rec);
	now.switches = before.switches;
	moved = now != before || reader_.read_arrivals(dir_) != arrivals_;
	return 0;
}

std::size_t
sleeper::read_memory(std::uintptr_t from, std::byte *to, std::size_t size)
    noexcept
{
	if (mem_.error() != 0)
		mem_ = process_memory(dir_.get(), tid_);
	const ssize_t n = mem_.read(from, to, size);
	return n > 0 ? static_cast<std::size_t>(n) : 0;
}

// A 32-bit program has only addresses below 4 GiB, where few 64-bit programs
// have their stacks.  In /proc a 64-bit program that runs 32-bit code on such a
// stack (Wine does) does not differ from other 64-bit programs.
bool
sleeper::is_ia32(const posture &p) const noexcept
{
	char head[EI_NIDENT];
	proc_file exe;
	return unwind::runs_ia32 && p.sp >> 32 == 0 && p.pc >> 32 == 0 &&
	    exe.open(dir_.get(), "exe") == 0 &&
	    pread(exe.get(), head, sizeof head, 0) == sizeof head &&
	    head[EI_CLASS] == ELFCLASS32;
}

} // namespace stack9::procfs
