// Finds which threads of a process sleep, and how often each was switched.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "pass_moments.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "states.h"

namespace stack9 {
namespace {

// To read states for the first time may load a program into the kernel.  That
// takes some milliseconds, and is worth it from so many threads on.
constexpr unsigned int first_threads = 64, later_threads = 2;
constinit std::atomic<bool> are_states_read{false};
// Running threads change tables of names, and these are to be of about one
// moment.
constexpr std::chrono::milliseconds shortest(20);
// The reading of states takes this part of the time at most.
constexpr int part = 16;

std::atomic<std::uint64_t> last_moment{0};

} // namespace

// Ends the report where there is no memory for more.
int
pass_moments::add(void *to, const stack9_state *s) noexcept
try {
	if (s->state != 'R' && s->switches != 0)
		(*static_cast<sleepers *>(to))[s->thread.tid] = {
		    s->thread.start, s->switches};
	return 0;
} catch (const std::bad_alloc &) {
	return 1;
}

void
pass_moments::begin(pid_t pid) noexcept
{
	const auto before = std::chrono::steady_clock::now();
	asleep_.clear();
	report_states(pid, add, &asleep_);
	are_states_read.store(true, std::memory_order_relaxed);
	const auto now = std::chrono::steady_clock::now();
	moment_ = ++last_moment;
	until_ = now + std::max<decltype(now - before)>(shortest,
	    part * (now - before));
}

std::uint64_t
pass_moments::since(const stack9_thread &td, std::uint64_t switches) noexcept
{
	if (td.pid != pid_) {
		pid_ = td.pid;
		threads_ = 0;
		until_ = {};
		asleep_.clear();
	}
	if (++threads_ < (are_states_read.load(std::memory_order_relaxed) ?
	    later_threads : first_threads))
		return 0;
	if (std::chrono::steady_clock::now() > until_)
		begin(td.pid);
	const auto at = asleep_.find(td.tid);
	return at != asleep_.end() && at->second.start == td.start &&
	    at->second.switches == switches ? moment_ : 0;
}

} // namespace stack9
