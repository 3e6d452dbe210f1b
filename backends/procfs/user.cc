// Copies the user side of a sleeping thread: sp and pc from /proc/TID/syscall,
// and its stack by /proc/TID/mem.  Nothing is sent to the thread, nothing
// stops it, and no call that it blocks in returns early.
//
// Only sp and pc are known of its registers.  If a frame is found by another
// register that no inner frame has saved, the walk ends there and says so.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user.h"

#include <unistd.h>

#include "arch/cpu.h"
#include "core/seam/extend_copy.h"
#include "os/proc_error.h"
#include "os/process_memory.h"

#include "sleeper.h"
#include "threads.h"

namespace stack9::procfs {
namespace {

constexpr int tries = 8;
constexpr int again = -1;	// no errno

// Most stacks are shorter than the first piece.  The memory beyond the end of a
// stack belongs to another thread and is of no use; /proc/TID/mem gives it all
// the same, even that which the process cannot read.  A piece ends with a page:
// the kernel takes as long for a part of one.
constexpr std::size_t first_piece = 8 << 10, first_other = 16 << 10;
constexpr std::size_t least_page = 4 << 10;

constexpr int ia32_sp = 4, ia32_pc = 8;

bool
is_ia32(const user_copy &copy) noexcept
{
	return copy.what == user_copy::machine::ia32;
}

void
set_registers(const posture &p, bool ia32, user_copy &copy) noexcept
{
	copy.what = ia32 ? user_copy::machine::ia32 :
	    user_copy::machine::native;
	copy.set(ia32 ? ia32_sp : unwind::register_sp, p.sp);
	copy.set(ia32 ? ia32_pc : unwind::register_pc, p.pc);
}

// True if the thread has not moved since it was copied.
bool
is_where_it_was(const posture &p, const user_copy &copy) noexcept
{
	const bool ia32 = is_ia32(copy);
	const auto value = [&](int number) {
		return copy.value[static_cast<std::size_t>(number)];
	};
	return !p.running && p.switches == copy.mark &&
	    p.sp == value(ia32 ? ia32_sp : unwind::register_sp) &&
	    p.pc == value(ia32 ? ia32_pc : unwind::register_pc);
}

int
no_stack(stack_record &rec) noexcept
{
	rec.why = STACK9_WHY_MEMORY;
	return EAGAIN;
}

// Copies from the red zone below sp, or from sp itself if sp is the first
// mapped byte.
int
take_stack(sleeper &who, std::uintptr_t sp, user_copy &copy,
    stack_record &rec) noexcept
{
	byte_buffer &to = copy.stack.bytes;
	if (!to.resize(first_piece)) {
		rec.why = STACK9_WHY_RESOURCE;
		rec.reason = "no memory for a copy of the stack";
		return ENOMEM;
	}
	std::size_t got = 0, wanted = 0;
	for (const std::size_t below : {unwind::red_zone, std::size_t{0}}) {
		copy.stack.at = sp - below;
		wanted = first_piece - copy.stack.at % least_page;
		got = who.read_memory(copy.stack.at, to.data(), wanted);
		if (got > below)
			break;
	}
	to.resize(got);
	if (got == 0 && who.memory_error() == EMFILE) {
		rec.why = STACK9_WHY_RESOURCE;
		rec.reason = "out of file descriptors";
		return EMFILE;
	}
	copy.stack.more = got == wanted;
	return got != 0 ? 0 : no_stack(rec);
}

// Tries once.  0, again, or an errno with why and reason in rec.
int
attempt(sleeper &who, posture &before, user_copy &copy, stack_record &rec)
    noexcept
{
	copy.clear();
	before = {};
	int error = who.read_posture(before, rec);
	if (error != 0)
		return error;
	if (before.running)
		return again;
	set_registers(before, who.is_ia32(before), copy);
	copy.mark = before.switches;
	const int none = take_stack(who, before.sp, copy, rec);
	bool moved = false;
	error = who.has_moved(before, moved, rec);
	if (error != 0)
		return error;
	return moved ? again : none;
}

int
copy_sleeping(const stack9_thread &td, user_copy &copy, stack_record &rec)
    noexcept
{
	sleeper who;
	if (const int error = who.open(td, rec); error != 0)
		return error;
	posture last;
	for (int i = 0; i < tries; i++) {
		const int error = attempt(who, last, copy, rec);
		if (error != again)
			return error;
	}
	rec.why = last.running ? STACK9_WHY_ON_CPU : STACK9_WHY_TORN;
	return EAGAIN;
}

int
copy_more(const stack9_thread &td, user_copy &copy, std::uint64_t wanted)
    noexcept
{
	sleeper who;
	posture p;
	stack_record unused{};
	int error = who.open(td, unused);
	if (error == 0)
		error = who.read_posture(p, unused);
	if (error != 0)
		return error;
	if (!is_where_it_was(p, copy))
		return EAGAIN;
	const auto fetch = [&](std::uint64_t from, std::byte *to,
	    std::size_t size) {
		const std::size_t n = who.read_memory(from, to, size);
		bool moved = false;
		const int gone = who.has_moved(p, moved, unused);
		return fetched{gone != 0 ? gone : moved ? EAGAIN : 0, n,
		    n == size};
	};
	return fetch_more(copy, wanted, unwind::red_zone, first_other, fetch);
}

verdict
can_copy() noexcept
{
	char buffer[512];
	std::string_view text;
	proc_file f;
	int error = f.open(AT_FDCWD, "/proc/thread-self/syscall");
	if (error == 0)
		error = f.read(buffer, text);
	if (error == EMFILE || error == ENFILE || error == ENOMEM ||
	    error == EIO)
		return {error, "/proc/TID/syscall cannot be read just now"};
	if (error != 0)
		return {EOPNOTSUPP, has_proc() ? "no /proc/TID/syscall: the "
		    "kernel has none" : no_proc};
	if (probe_read_directly() != 0 && access("/proc/self/mem", R_OK) != 0)
		return {EOPNOTSUPP, "process_vm_readv(2) is not allowed here, "
		    "by a seccomp filter perhaps"};
	return {0, nullptr};
}

} // namespace

verdict
user_route::can() noexcept
{
	return can_copy();
}

int
user_route::copy(const stack9_thread &td, sides &s, lead &) noexcept
{
	return copy_sleeping(td, s.copy, s.user);
}

int
user_route::extend_copy(const stack9_thread &td, user_copy &copy,
    std::uint64_t wanted) noexcept
{
	return copy_more(td, copy, wanted);
}

verdict
user_each_route::can() noexcept
{
	return can_copy();
}

int
user_each_route::extend_copy(const stack9_thread &td, user_copy &copy,
    std::uint64_t wanted) noexcept
{
	return copy_more(td, copy, wanted);
}

int
user_each_route::each_copy(pid_t pid, bool, sides_sink to, void *arg) noexcept
{
	user_copy copy;
	return every_thread(pid, [&](pid_t p, pid_t tid) {
		stack_record rec{};
		rec.thread = {tid, p, 0};
		rec.side = STACK9_USER;
		rec.route = name;
		rec.cpu = -1;
		rec.state = '?';
		copy.clear();
		rec.error = copy_sleeping(rec.thread, copy, rec);
		sides s{nullptr, rec, copy};
		return to(arg, s);
	});
}

constinit user_route user_one("procfs",
    "a sleeping thread by /proc/TID/syscall and a copy of its stack, "
    "undisturbed", 50);
constinit user_each_route user_all("procfs",
    "all sleeping threads by /proc/TID/syscall and copies of their stacks",
    50);

} // namespace stack9::procfs
