// Validates user sides as validate.cc validates kernel stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "validate_user.h"

#include <cstring>

#include "arch/kernel_registers.h"

namespace stack9::bpf {
namespace {

// <linux/sched.h>; the worker of an io_uring, and since 6.4 of other kinds.
constexpr std::uint32_t pf_kthread = 0x200000, pf_io_worker = 0x10,
    pf_user_worker = 0x4000;

int
torn(stack_record &rec) noexcept
{
	rec.why = STACK9_WHY_TORN;
	return EAGAIN;
}

// A thread of a user without memory has begun to exit, perhaps after its flags
// were read.
int
has_none(const s9_record &who, stack_record &rec) noexcept
{
	constexpr std::uint32_t none = pf_kthread | pf_io_worker |
	    pf_user_worker;
	if ((who.task_flags & pf_exiting) || !(who.task_flags & none)) {
		rec.why = STACK9_WHY_EXITING;
		return ESRCH;
	}
	rec.why = STACK9_WHY_KTHREAD;
	return EOPNOTSUPP;
}

int
keep(const user_seen &seen, stack_record &rec, user_copy &copy) noexcept
{
	const s9_user &u = seen.user;
	if (u.flags & S9_USER_NONE)
		return has_none(seen.who, rec);
	if (u.flags & S9_USER_BUSY) {
		rec.why = STACK9_WHY_LATE;
		rec.reason = "its mappings are being changed, and a reader "
		    "of its memory has to wait for that";
		return EAGAIN;
	}
	if (u.bytes == 0) {
		rec.why = STACK9_WHY_MEMORY;
		rec.reason = "its stack pointer points to no memory";
		return EAGAIN;
	}
	if (!read_registers(u, copy)) {
		rec.why = STACK9_WHY_MACHINE;
		rec.reason = "a program for another kind of CPU";
		return EOPNOTSUPP;
	}
	if (!copy.stack.bytes.resize(u.bytes)) {
		rec.why = STACK9_WHY_RESOURCE;
		rec.reason = "no memory for a copy of its stack";
		return ENOMEM;
	}
	std::memcpy(copy.stack.bytes.data(), seen.stack, u.bytes);
	copy.stack.at = u.from;
	copy.stack.more = (u.flags & S9_USER_MORE) != 0;
	copy.mark = seen.who.switches;
	return 0;
}

// Validates the identity of a thread, whether it runs or not.
int
validate_kind(const s9_record &who, const stack9_thread &td, stack_record &rec)
    noexcept
{
	if (const int error = validate_identity(who, td, rec); error != 0)
		return error;
	return (who.task_flags & pf_kthread) ? has_none(who, rec) : 0;
}

} // namespace

int
validate_user(const user_seen &seen, const stack9_thread &td,
    stack_record &rec, user_copy &copy, lead &l) noexcept
{
	const s9_record &who = seen.who;
	if (const int error = validate_kind(who, td, rec); error != 0)
		return error;
	if (who.on_cpu) {
		l.cpu = who.cpu;
		l.host_tid = who.host_tid;
		l.start_ns = who.start_ns;
		rec.why = STACK9_WHY_ON_CPU;
		return EAGAIN;
	}
	if (!stayed_asleep(who, who.switches))
		return torn(rec);
	return keep(seen, rec, copy);
}

int
validate_user_running(const user_seen &seen, const stack9_thread &td,
    stack_record &rec, user_copy &copy) noexcept
{
	if (const int error = validate_kind(seen.who, td, rec); error != 0)
		return error;
	rec.state = 'R';
	return keep(seen, rec, copy);
}

bool
read_registers(const s9_user &u, user_copy &copy) noexcept
{
	const arch::program_kind kind = arch::read_pt_regs(u.regs,
	    [&](int number, std::uint64_t value) { copy.set(number, value); });
	if (kind == arch::program_kind::ia32)
		copy.what = user_copy::machine::ia32;
	return kind != arch::program_kind::unknown;
}

bool
stayed_asleep(const s9_record &seen, std::uint64_t mark) noexcept
{
	return !seen.on_cpu && !seen.on_cpu_after && seen.switches == mark &&
	    seen.switches_after == mark;
}

void
copy_outcome(const stack_record &user, int error, stack_record &kernel)
    noexcept
{
	kernel.thread = user.thread;
	kernel.when_ns = user.when_ns;
	kernel.cpu = user.cpu;
	kernel.state = user.state;
	std::memcpy(kernel.comm, user.comm, sizeof kernel.comm);
	kernel.route = user.route;
	kernel.error = error;
	kernel.why = user.why;
	kernel.reason = user.reason;
}

int
join_kernel(const s9_record &kernel, const s9_record &who, int user_error,
    const stack9_thread &td, sides &s) noexcept
{
	if (kernel.start_ns != who.start_ns ||
	    !stayed_asleep(kernel, who.switches)) {
		s.copy.clear();
		const int error = torn(s.user);
		s.user.reason = nullptr;
		copy_outcome(s.user, error, *s.kernel);
		return error;
	}
	lead unused;
	s.kernel->route = s.user.route;
	s.kernel->error = validate_sleeper(kernel, td, *s.kernel, unused);
	return user_error;
}

} // namespace stack9::bpf
