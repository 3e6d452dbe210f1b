// Reads the states of all threads first, in 0.8 us a thread: their counts of
// switches say which have run.  Both sides of all threads would take ten times
// as long, most of it for stacks that are known.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "capture.h"

#include <algorithm>
#include <cerrno>
#include <new>

namespace stackrecord {
namespace {

// From so many threads of a process on, and if they are most of its threads, a
// pass over it is quicker than one by one.
constexpr std::size_t worth_a_pass = 4;

} // namespace

template <class Work>
int
capture::guarded(Work work) noexcept
{
	try {
		work();
		return 0;
	} catch (const std::bad_alloc &) {
		no_memory_ = true;
		return 1;
	}
}

// Most threads come process by process.
capture::process &
capture::process_of(pid_t pid)
{
	if (last_ == nullptr || last_->pid != pid) {
		last_ = &processes_[pid];
		last_->pid = pid;
	}
	return *last_;
}

int
capture::look(void *arg, const stack9_state *s) noexcept
{
	capture &c = *static_cast<capture *>(arg);
	return c.guarded([&] {
		if (!c.targets_.wants(*s))
			return;
		process &p = c.process_of(s->thread.pid);
		p.looked_at++;
		p.is_new |= !c.threads_.is_known(s->thread);
		if (c.threads_.is_unchanged(*s))
			return;
		if (c.opt_.sides() == STACK9_USER &&
		    c.threads_.is_of_kernel(s->thread)) {
			c.threads_.pass_over(s->thread);
			return;
		}
		p.changed.push_back(s->thread);
	});
}

void
capture::note_missing(const stack9_sample &s)
{
	if (s.user == nullptr || s.user->why != STACK9_WHY_RESOURCE ||
	    s.user->depth != 0)
		return;
	without_user_++;
	if (missing_ != s.user->reason)
		missing_ = s.user->reason;
}

int
capture::keep(void *arg, const stack9_sample *s) noexcept
{
	capture &c = *static_cast<capture *>(arg);
	return c.guarded([&] {
		if (!c.targets_.wants(*s) || c.threads_.is_unchanged(*s) ||
		    !c.threads_.add(*s))
			return;
		c.note_missing(*s);
		if (!c.opt_.waits || s->state == 'R')
			return;
		c.waiting_.push_back(tools::held(
		    stack9_sample_hold(s)));
	});
}

int
capture::keep_wait(void *arg, const stack9_wait *w) noexcept
{
	capture &c = *static_cast<capture *>(arg);
	return c.guarded([&] { c.threads_.add(*w); });
}

int
capture::pass(stack9_side sides, stack9_sample_fn *fn)
{
	const int error = targets_.pass(sides, fn, this);
	return no_memory_ ? ENOMEM : error;
}

int
capture::one(const stack9_thread &td, stack9_space *space)
{
	stack9_save_options o = save_options(opt_);
	stack9_sample *s = nullptr;
	o.space = space;
	stack9_save(&td, opt_.sides(), &o, &s);
	if (s == nullptr)
		return ENOMEM;
	const int stop = keep(this, s);
	stack9_sample_close(s);
	return stop != 0 ? ENOMEM : 0;
}

int
capture::of_process(const process &p)
{
	const stack9_thread &first = p.changed.front();
	stack9_space *const space = opt_.sides() == STACK9_KERNEL ||
	    threads_.is_of_kernel(first) ? nullptr :
	    spaces_.of(first, tick_->boot_ns);
	if (p.changed.size() >= worth_a_pass &&
	    p.changed.size() > p.looked_at / 2) {
		stack9_save_options o = save_options(opt_);
		o.space = space;
		const stack9_thread td{p.pid, p.pid, 0};
		const int error = stack9_each(&td, opt_.sides(), &o, keep,
		    this);
		return no_memory_ ? ENOMEM : error;
	}
	for (const stack9_thread &td : p.changed)
		if (const int error = one(td, space); error != 0)
			return error;
	return 0;
}

// A pass over the machine would read the mappings of all processes again.  That
// takes longer than their stacks.  Processes that are new may end soon.
int
capture::changed_ones()
{
	for (const bool is_new : {true, false})
		for (const auto &[pid, p] : processes_) {
			const int error = p.is_new != is_new ||
			    p.changed.empty() ? 0 : of_process(p);
			if (error == ENOMEM || error == EMFILE)
				return error;
		}
	return 0;
}

// A thread that has not run since waits for the same.
int
capture::waits()
{
	std::vector<const stack9_sample *> samples;
	for (const auto &s : waiting_)
		samples.push_back(s.get());
	const int error = stack9_waits(samples.data(),
	    static_cast<std::uint32_t>(samples.size()), 0, keep_wait, this);
	waiting_.clear();
	return no_memory_ ? ENOMEM : error;
}

void
capture::expect(recording::tick &t, bool restart)
{
	tick_ = &t;
	restart_ = restart;
	counted_.clear();
	threads_.expect(t, restart);
}

void
capture::count(const stack9_sample &s, const recording::event &e)
{
	if (!targets_.wants(s))
		return;
	const recording::event_count c = threads_.count_of(s, e);
	const auto [at, fresh] = counted_.try_emplace({c.event, c.thread,
	    c.kernel, c.user}, tick_->counts.size());
	if (fresh) {
		tick_->counts.push_back(c);
		return;
	}
	tick_->counts[at->second].events += c.events;
	tick_->counts[at->second].ns += c.ns;
}

int
capture::take()
{
	int error;
	processes_.clear();
	last_ = nullptr;
	spaces_.forget(tick_->boot_ns);
	no_memory_ = false;
	if (restart_) {
		error = pass(opt_.sides(), keep);
	} else {
		error = targets_.states(look, this);
		if (no_memory_)
			error = ENOMEM;
		if (error == 0)
			error = changed_ones();
	}
	if (error == 0 && opt_.waits)
		error = waits();
	if (error == 0)
		threads_.end();
	return error;
}

} // namespace stackrecord
