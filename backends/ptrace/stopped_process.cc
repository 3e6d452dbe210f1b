// Stops all threads of a process, copies them, and releases them together.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stopped_process.h"

#include <algorithm>
#include <cerrno>

#include "os/task_directory.h"
#include <unistd.h>

#include "tracee.h"

namespace stack9::tracing {
namespace {

// Every thread was asked to stop long before the last one is waited for.  The
// others wait so long for one that does not stop, and for all such together:
constexpr std::uint64_t for_one = 300 * millisecond;
constexpr std::uint64_t for_all = 2000 * millisecond;

constexpr std::uint64_t tracer_life = for_one + 10 * millisecond;
constexpr std::size_t calls_of_a_life = 64;

constexpr std::size_t usual_size = 4096, ready_most = 16 << 20;

constexpr std::size_t tids_most = 1 << 22;	// PID_MAX_LIMIT

bool
is_passed_over(const stopped_thread &h) noexcept
{
	return h.at == step::copying;	// when it was killed
}

} // namespace

all_work::all_work(pid_t pid, int tasks, const source &s, arena &r) noexcept
    : pid_(pid), tasks_(tasks), from_(s), memory_(r),
      all_(r.take_array<stopped_thread>(threads_most)),
      seen_(r.take_array<std::uint64_t>(tids_most / 64))
{
	if (seen_.empty())
		all_ = {};
}

bool
all_work::is_new(pid_t tid) noexcept
{
	if (tid <= 0 || static_cast<std::size_t>(tid) >= tids_most)
		return false;
	std::uint64_t &word = seen_[static_cast<std::size_t>(tid) / 64];
	const std::uint64_t bit = std::uint64_t{1} << (tid % 64);
	const bool yes = (word & bit) == 0;
	word |= bit;
	return yes;
}

void
all_work::add(pid_t tid) noexcept
{
	if (used_ == all_.size()) {
		full_ = true;
		return;
	}
	all_[used_++] = stopped_thread(tid);
}

bool
all_work::find_new() noexcept
{
	const std::size_t before = used_;
	lseek(tasks_, 0, SEEK_SET);
	each_task(tasks_, [&](pid_t tid) {
		if (is_new(tid))
			add(tid);
		return true;
	});
	return used_ != before;
}

// No thread stops before all are seized: seizing takes longer than stopping.
void
all_work::hold(tracer &self, std::span<stopped_thread> some) noexcept
{
	std::size_t calls = 0;
	for (stopped_thread &h : some) {
		if (calls++ % calls_of_a_life == 0)
			self.may_live(tracer_life);
		if (!is_passed_over(h))
			h.error = seize(h.tid);
	}
	for (stopped_thread &h : some)
		if (h.error == 0 && !is_passed_over(h)) {
			h.at = step::waiting;
			h.error = interrupt(h.tid);
		}
	for (stopped_thread &h : some) {
		if (h.at != step::waiting || h.error != 0)
			continue;
		self.may_live(tracer_life);
		h.await(self, std::min(now() + for_one, until_));
		if (h.stopped)
			h.copy(from_, memory_);
		if (h.at == step::copying)
			h.at = step::done;
	}
}

// A thread that has not stopped yet may create threads while the others are
// stopped.  So the loop ends when no new thread is found after all have
// stopped.
void
all_work::run(tracer &self) noexcept
{
	memory_.have_ready(std::min(used_ * usual_size, ready_most));
	until_ = now() + for_all;
	std::size_t before = 0;
	do {
		const std::size_t first = before;
		before = used_;
		hold(self, all().subspan(first));
		self.may_live(tracer_life);
	} while (find_new());
	for (stopped_thread &h : all())
		h.release();
}

void
all_work::nudge() noexcept
{
	for (const stopped_thread &h : all())
		if (h.tid != pid_)
			reap(h.tid);
}

bool
all_work::pass_over_last() noexcept
{
	bool found = false;
	for (stopped_thread &h : all()) {
		const bool over = is_passed_over(h);
		h = stopped_thread(h.tid);
		if (over)
			h.at = step::copying;
		found = found || over;
	}
	return found;
}

} // namespace stack9::tracing
