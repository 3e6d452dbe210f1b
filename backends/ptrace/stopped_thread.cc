// Stops one thread, copies it, and releases it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stopped_thread.h"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

#include "arch/cpu.h"
#include "os/clocks.h"
#include "os/process_memory.h"

#include "tracee.h"

namespace stack9::tracing {
namespace {

std::size_t
read_memory(pid_t tid, const source &from, const extent &e, std::byte *to)
    noexcept
{
	const ssize_t n = from.mem_fd >= 0 ?
	    pread(from.mem_fd, to, e.size, static_cast<off_t>(e.at)) :
	    read_directly(tid, e.at, to, e.size);
	return n > 0 ? static_cast<std::size_t>(n) : 0;
}

// The stack of the first thread ends where the program's arguments begin.  The
// stack of any other thread ends with the C library's struct pthread, whose
// address is the thread pointer.  On a machine or in a language where that is
// not so, the thread pointer is seldom close to the stack by chance.
extent
extent_of(const raw_registers &r, std::uintptr_t start_stack) noexcept
{
	const std::uintptr_t sp = stack_pointer(r);
	const std::uintptr_t at = sp - std::min(sp, unwind::red_zone);
	for (const std::uintptr_t end : {start_stack, r.tls})
		if (end > sp && end - sp <= stack_most)
			return {at, end - at + sizeof(long), true};
	return {at, stack_unknown, false};
}

} // namespace

read_piece
read_into(arena &memory, pid_t tid, const source &from, const extent &e)
    noexcept
{
	const std::size_t fitting = std::min(e.size, memory.left());
	read_piece p{e.at, memory.next(), 0, false};
	p.size = read_memory(tid, from, {e.at, fitting, e.whole},
	    memory.next());
	p.more = p.size == fitting && (!e.whole || fitting < e.size);
	memory.take(p.size);
	return p;
}

void
stopped_thread::seize_and_interrupt() noexcept
{
	error = seize(tid);
	if (error != 0)
		return;
	at = step::waiting;
	error = interrupt(tid);
}

// Polls now and then, because the kernel does not report every end of a tracee:
// after an execve(2) by another thread, that thread silently takes the first
// one's tid.
// Rejected: polling all the time.  The thread may need this CPU to stop on.
void
stopped_thread::await(tracer &self, std::uint64_t until) noexcept
{
	for (;;) {
		switch (posture_of(tid, signal)) {
		case posture::stopped:
			stopped = true;
			when_ns = boot_ns();
			return;
		case posture::gone:
			error = ESRCH;
			return;
		case posture::moving:
			break;
		}
		const std::uint64_t t = now();
		if (t >= until) {
			error = EAGAIN;
			return;
		}
		self.wait(std::min(until, t + 10 * millisecond));
	}
}

void
stopped_thread::copy(const source &from, arena &memory) noexcept
{
	at = step::copying;
	error = read_registers(tid, registers);
	if (error != 0)
		return;
	const extent e = extent_of(registers, from.start_stack);
	stack = read_into(memory, tid, from, e);
	// The page below sp may not be mapped.
	const std::uintptr_t sp = stack_pointer(registers);
	if (stack.size == 0 && e.at < sp && sp - e.at < e.size)
		stack = read_into(memory, tid, from,
		    {sp, e.size - (sp - e.at), e.whole});
}

void
stopped_thread::release() noexcept
{
	if (!stopped)
		return;
	detach(tid, signal);
	stopped = false;
	at = step::done;
}

} // namespace stack9::tracing
