// Reads /proc/TID/stat for the identity of a thread, status for its switch
// counts, and syscall for sp and pc.  The kernel gives sp and pc only for a
// thread that it finds off its CPU twice without a switch in between.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sleeper.h"

#include <elf.h>

#include "arch/cpu.h"
#include "core/seam/refuse.h"
#include "os/linux/clocks.h"
#include "os/linux/process_memory.h"

namespace stack9::procfs {
namespace {

// status is the longest file.  Its list of groups has no bound, so a very long
// one may not fit: ENAMETOOLONG.
constexpr std::size_t file_size = 16384;

int
refuse_file(stack9_record &rec, int error) noexcept
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
		    "a file of /proc/TID could not be opened or read");
	}
}

int
refuse_kernel_thread(stack9_record &rec, const char *reason) noexcept
{
	return refuse(rec, EOPNOTSUPP, STACK9_WHY_KTHREAD, reason);
}

} // namespace

int
sleeper::identify(const stack9_thread &td, stack9_record &rec) noexcept
{
	char buffer[1024];
	std::string_view line;
	thread_stat stat;
	if (const int error = dir_.read("stat", buffer, line); error != 0)
		return refuse_file(rec, error);
	if (!parse_stat(line, stat))
		return refuse_file(rec, ESRCH);
	rec.thread = {td.tid, td.pid, stat.start};
	rec.state = stat.state;
	rec.cpu = stat.cpu;
	copy_name(rec.comm, stat.comm);
	if (td.start != 0 && td.start != stat.start)
		return refuse(rec, ESRCH, STACK9_WHY_REUSED, nullptr);
	number(word(line.substr(line.rfind(')') + 2), 9 - 3), flags_);
	return refuse_dead(rec, stat.state);
}

int
sleeper::open(const stack9_thread &td, stack9_record &rec) noexcept
{
	tid_ = td.tid;
	if (const int error = dir_.open(tid_); error != 0)
		return refuse_file(rec, error);
	if (const int error = identify(td, rec); error != 0)
		return error;
	if ((flags_ & flag_kernel) != 0)
		return refuse_kernel_thread(rec, nullptr);
	int error = syscall_.open(dir_.get(), "syscall");
	if (error == 0)
		error = status_.open(dir_.get(), "status");
	return error != 0 ? refuse_posture(error, rec) : 0;
}

// Root owns the files of a thread that has given its memory back.
int
sleeper::refuse_posture(int error, stack9_record &rec) noexcept
{
	constexpr std::uint64_t flag_exiting = 0x4;
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
sleeper::read_status(posture &p, stack9_record &rec) noexcept
{
	char buffer[file_size];
	std::string_view text;
	if (const int error = status_.read(buffer, text); error != 0)
		return refuse_file(rec, error);
	rec.thread.pid = static_cast<pid_t>(number_behind(text, "\nTgid:"));
	p.switches = number_behind(text, "\nvoluntary_ctxt_switches:") +
	    number_behind(text, "\nnonvoluntary_ctxt_switches:");
	const std::size_t state = text.find("\nState:\t");
	return state == text.npos ? 0 : refuse_dead(rec, text[state + 8]);
}

int
sleeper::read_posture(posture &p, stack9_record &rec) noexcept
{
	char buffer[512];
	std::string_view text;
	if (const int error = syscall_.read(buffer, text); error != 0)
		return refuse_posture(error, rec);
	rec.when_ns = boot_ns();
	p.running = !parse_syscall(text, p.sp, p.pc);
	if (const int error = read_status(p, rec); error != 0)
		return error;
	if (p.running || p.sp != 0)
		return 0;
	if ((flags_ & flags_worker) != 0)
		return refuse_kernel_thread(rec,
		    "a worker of the kernel's: it has no user stack");
	// The thread has given its kernel stack back: it is exiting.
	return refuse(rec, ESRCH, STACK9_WHY_EXITING, nullptr);
}

std::size_t
sleeper::read_memory(std::uintptr_t from, std::byte *to, std::size_t size)
    noexcept
{
	ssize_t n = read_process(tid_, from, to, size);
	if (n < 0 && (errno == ENOSYS || errno == EPERM) && (mem_.get() >= 0 ||
	    mem_.open(dir_.get(), "mem") == 0))
		n = pread(mem_.get(), to, size, static_cast<off_t>(from));
	return n > 0 ? static_cast<std::size_t>(n) : 0;
}

// A 32-bit program has only addresses below 4 GiB, where few 64-bit programs
// have their stacks. /proc does not tell a 64-bit program that runs 32-bit code
// on such a stack (Wine does) from other 64-bit programs.
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
