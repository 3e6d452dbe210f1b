// Defines the route "registers".  It captures a sleeping thread of this process
// from sp and pc in /proc and a copy of its stack.  Nothing is sent to the
// thread, nothing stops it, and no call that it blocks in returns early.
//
// Only sp and pc are known of its registers.  Code that finds its frames by
// another register (mostly rbp) is followed as soon as an inner frame has saved
// that register on the stack.  Without that, the stack ends where it is
// certain.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "routes.h"

#include <cstdint>
#include <memory>
#include <new>

#include "os/proc_error.h"
#include "os/process_memory.h"
#include "unwind/generation.h"
#include "unwind/walk.h"

#include "memory.h"
#include "task.h"

namespace stack9::self {
namespace {

constexpr int tries = 8;
constexpr std::size_t copy_size = 64 << 10;	// few stacks are larger
constexpr int again = -1;	// no errno

// 0 if the posture is the same as before: the thread slept throughout.
int
check(task &who, const posture &before, stack_record &rec) noexcept
{
	posture now;
	const int error = who.read_posture(now, rec);
	if (error != 0)
		return error;
	return now == before ? 0 : again;
}

void
walk(copied_stack &copy, const posture &p, stack_record &rec) noexcept
{
	unwind::registers known;
	known.set(unwind::register_sp, p.sp);
	known.set(unwind::register_pc, p.pc);
	known.exact = true;
	rec.flags |= STACK9_STACK_EXACT;
	explain(unwind::walk_memory(copy, known, rec.pcs, rec.max), rec);
}

// Tries once.  0, again, or an errno with why and reason in rec.
int
attempt(task &who, copied_stack &copy, posture &before, stack_record &rec)
    noexcept
{
	const std::uint16_t code = unwind::code_generation.now();
	before = {};
	int error = who.read_posture(before, rec);
	if (error != 0)
		return error;
	if (before.running)
		return again;
	copy.take(before.sp);
	error = check(who, before, rec);
	if (error != 0)
		return error;
	walk(copy, before, rec);
	// Memory outside of the copy was read after that check.  So were the
	// rules, and other code may be loaded by then.  So check again.
	return copy.strayed() || unwind::code_generation.now() != code ?
	    check(who, before, rec) : 0;
}

int
save_sleeping(const stack9_thread &td, stack_record &rec) noexcept
{
	task who;
	int error = who.open(td, rec);
	if (error != 0)
		return error;
	// On the heap, because the capturing thread's stack may be small.
	const std::unique_ptr<std::byte[]> bytes(
	    new (std::nothrow) std::byte[copy_size]);
	if (!bytes)
		return refuse(rec, ENOMEM, STACK9_WHY_RESOURCE,
		    "no memory for a copy of the stack");
	copied_stack copy({bytes.get(), copy_size});
	posture last;
	for (int i = 0; i < tries; i++) {
		error = attempt(who, copy, last, rec);
		if (error != again)
			return error;
	}
	return refuse(rec, EAGAIN, last.running ? STACK9_WHY_ON_CPU :
	    STACK9_WHY_TORN, nullptr);
}

} // namespace

verdict
registers_route::can() noexcept
{
	const int saved = errno;
	const verdict v = task::probe() != 0 ?
	    verdict{EOPNOTSUPP, has_proc() ? "/proc/self/task/TID/syscall "
		"cannot be read: /proc is of another namespace" : no_proc} :
	    probe_read_directly() != 0 ?
	    verdict{EOPNOTSUPP, "process_vm_readv(2) is not allowed here, by a "
		"seccomp filter perhaps"} :
	    verdict{0, nullptr};
	errno = saved;
	return v;
}

int
registers_route::save(const stack9_thread &td, stack_record &rec) noexcept
{
	const int saved = errno;
	const int error = save_sleeping(td, rec);
	errno = saved;
	return error;
}

constinit registers_route by_registers("registers",
    "a sleeping sibling by /proc/self/task/TID/syscall and a copy of its "
    "stack, undisturbed", 10);

} // namespace stack9::self
