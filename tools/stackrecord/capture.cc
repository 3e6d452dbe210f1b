// Passes over the kernel stacks of all threads first, which takes 2 us a
// thread: their counts of switches say which have run.  Both sides of all
// threads would take six times as long, most of it for stacks that are known.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "capture.h"

#include <cerrno>
#include <new>

namespace stackrecord {
namespace {

// From so many threads of a process on, and if they are most of its threads, a
// pass over it is quicker than one by one.
constexpr std::size_t worth_a_pass = 4;

} // namespace

int
capture::look(void *arg, const stack9_sample *s) noexcept
{
	capture &c = *static_cast<capture *>(arg);
	try {
		if (!c.targets_.wants(*s))
			return 0;
		c.looked_at_++;
		c.threads_of_[s->thread.pid]++;
		if (c.threads_.is_unchanged(*s))
			return 0;
		if (!c.threads_.is_of_kernel(s->thread))
			c.changed_.push_back(s->thread);
		else if (c.opt_.sides() == STACK9_USER)
			c.threads_.pass_over(s->thread);
		else
			c.threads_.add(*s);
		return 0;
	} catch (const std::bad_alloc &) {
		c.no_memory_ = true;
		return 1;
	}
}

int
capture::keep(void *arg, const stack9_sample *s) noexcept
{
	capture &c = *static_cast<capture *>(arg);
	try {
		if (c.targets_.wants(*s) && !c.threads_.is_unchanged(*s))
			c.threads_.add(*s);
		return 0;
	} catch (const std::bad_alloc &) {
		c.no_memory_ = true;
		return 1;
	}
}

int
capture::pass(stack9_side sides, stack9_sample_fn *fn)
{
	no_memory_ = false;
	const int error = targets_.pass(sides, fn, this);
	return no_memory_ ? ENOMEM : error;
}

int
capture::one(const stack9_thread &td)
{
	const stack9_save_options o = save_options(opt_);
	stack9_sample *s = nullptr;
	stack9_save(&td, opt_.sides(), &o, &s);
	if (s == nullptr)
		return ENOMEM;
	const int stop = keep(this, s);
	stack9_sample_close(s);
	return stop != 0 ? ENOMEM : 0;
}

int
capture::changed_ones()
{
	if (changed_.size() > looked_at_ / 2)
		return pass(opt_.sides(), keep);
	std::unordered_map<pid_t, std::size_t> changed_of;
	for (const stack9_thread &td : changed_)
		changed_of[td.pid]++;
	for (const stack9_thread &td : changed_) {
		std::size_t &n = changed_of[td.pid];
		if (n == 0)
			continue;	// its process had a pass
		int error = 0;
		if (n >= worth_a_pass && n > threads_of_[td.pid] / 2) {
			const stack9_save_options o = save_options(opt_);
			const stack9_thread process{td.pid, td.pid, 0};
			n = 0;
			error = stack9_each(&process, opt_.sides(), &o, keep,
			    this);
		} else {
			error = one(td);
		}
		if (error == ENOMEM || error == EMFILE)
			return error;
	}
	return 0;
}

int
capture::take(recording::tick &t, bool restart)
{
	threads_.begin(t, restart);
	changed_.clear();
	threads_of_.clear();
	looked_at_ = 0;
	int error;
	if (restart || opt_.sides() == STACK9_KERNEL) {
		error = pass(opt_.sides(), keep);
	} else {
		error = pass(STACK9_KERNEL, look);
		if (error == 0)
			error = changed_ones();
	}
	if (error == 0)
		threads_.end();
	return error;
}

} // namespace stackrecord
