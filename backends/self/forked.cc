// See forked.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "forked.h"

#include <algorithm>
#include <atomic>

#include <pthread.h>
#include <signal.h>
#include <sys/single_threaded.h>
#include <ucontext.h>

#include "copied_walk.h"

namespace stack9::self {
namespace {

constinit std::atomic<bool> threads_at_fork{false};
constinit std::atomic<bool> in_such_a_child{false};

void
before_fork() noexcept
{
	threads_at_fork = !__libc_single_threaded;
}

void
in_child() noexcept
{
	if (threads_at_fork)
		in_such_a_child = true;
}

const int at_fork = pthread_atfork(before_fork, nullptr, in_child);

// One walk at a time: a handler that interrupts one would wait for itself.
class no_signals {
public:
	no_signals() noexcept
	{
		sigset_t all;
		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, &before_);
	}
	~no_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
	no_signals(const no_signals &) = delete;
	no_signals &operator=(const no_signals &) = delete;

private:
	sigset_t	before_;
};

} // namespace

bool
forked_from_threads() noexcept
{
	return in_such_a_child.load(std::memory_order_relaxed);
}

void
save_forked(stack9_record &rec, std::uintptr_t first_pc) noexcept
{
	constexpr std::uint32_t shallow = 64, inside = 8;
	const no_signals guard;
	ucontext_t here;
	snapshot registers;
	getcontext(&here);
	for (int n = 0; n < register_count; n++)
		registers.set(n, register_of(here, n));
	// The library's own frames are in the way, so a little more room; who
	// wants many frames can miss the last few.
	std::uintptr_t pcs[shallow + inside];
	stack9_record all{};
	all.pcs = rec.max <= shallow ? pcs : rec.pcs;
	all.max = rec.max <= shallow ? rec.max + inside : rec.max;
	walk(registers, reach::anywhere, all);
	std::uintptr_t *const end = all.pcs + all.depth;
	std::uintptr_t *const first = first_pc == 0 ? all.pcs :
	    std::find(all.pcs, end, first_pc);
	const auto frames = static_cast<std::uint32_t>(end - first);
	rec.depth = std::min(frames, rec.max);
	rec.dropped = all.dropped + (frames - rec.depth);
	rec.why = frames > rec.depth ? STACK9_WHY_TRUNCATED : all.why;
	rec.reason = frames > rec.depth ? nullptr : all.reason;
	std::copy(first, first + rec.depth, rec.pcs);
}

} // namespace stack9::self
