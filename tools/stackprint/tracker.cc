// Looks at threads again and again, and captures only those that have run.  The
// library counts the switches of all threads without reading a stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tracker.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "tools/model/from_library.h"

namespace stackprint {
namespace {

// One pass over all threads takes less time than captures of more threads than
// one in so many.
constexpr std::size_t worth_a_pass = 4, few = 16;

bool
has_stack(const sample &s)
{
	return (s.kernel.has_value() && s.kernel->depth() != 0) ||
	    (s.user.has_value() && s.user->depth() != 0);
}

} // namespace

tracker::tracker(const options &o, advice &a)
    : opt_(o), capture_(o, false, a)
{
}

// The processes of the threads that are named; a thread that has ended is none.
int
tracker::select_tids()
{
	processes_.clear();
	tids_.clear();
	for (const pid_t tid : opt_.tids) {
		stack9_thread td{};
		if (stack9_thread_find(tid, &td) != 0)
			continue;
		tids_.insert(tid);
		if (std::find(processes_.begin(), processes_.end(), td.pid) ==
		    processes_.end())
			processes_.push_back(td.pid);
	}
	return processes_.empty() ? ESRCH : 0;
}

int
tracker::select(std::string &why)
{
	if (!opt_.tids.empty())
		return select_tids();
	if (opt_.all && !opt_.any_filter()) {
		processes_ = {0};
		return 0;
	}
	// Only filters find other processes later.
	if (selection_.has_value() && !opt_.any_filter() && !opt_.children)
		return 0;
	selection_.emplace(opt_);
	if (const int error = selection_->find(why); error != 0)
		return error;
	processes_ = selection_->is_machine() ? std::vector<pid_t>{0} :
	    selection_->processes();
	return 0;
}

bool
tracker::is_wanted(const stack9_state &s) const
{
	if (!tids_.empty())
		return tids_.count(s.thread.tid) != 0;
	return !selection_.has_value() || selection_->wants(s.thread.pid,
	    s.comm, s.state);
}

const tracked *
tracker::of(const stack9_thread &td) const
{
	const tracked *const t = all_.find(td.tid);
	return t == nullptr || (td.start != 0 && t->thread.start != td.start) ?
	    nullptr : t;
}

void
tracker::add(const stack9_state &s)
{
	const auto [t, is_new] = all_.of(s.thread, [this](tracked &&old) {
		gone_.push_back(std::move(old));
	});
	t.is_new = is_new;
	if (is_new || t.now.switches != s.switches ||
	    ((t.now.flags | s.flags) & STACK9_STATE_ON_CPU) != 0)
		t.watched_ns = s.when_ns;
	if (t.comm != s.comm)
		t.comm = s.comm;
	t.now = s;
	t.now.comm = nullptr;
	all_.see(t);
}

int
tracker::reported(void *arg, const stack9_state *s) noexcept
{
	tracker &t = *static_cast<tracker *>(arg);
	try {
		if (t.is_wanted(*s))
			t.add(*s);
		return 0;
	} catch (const std::bad_alloc &) {
		t.no_memory_ = true;
		return 1;
	}
}

int
tracker::look_at(pid_t pid)
{
	const stack9_thread td{pid, pid, 0};
	const int error = stack9_states(pid != 0 ? &td : nullptr, 0, reported,
	    this);
	return no_memory_ ? ENOMEM : error;
}

int
tracker::look(std::string &why)
{
	all_.begin();
	moved_.clear();
	gone_.clear();
	int error = select(why);
	for (const pid_t pid : processes_) {
		if (error != 0)
			break;
		error = look_at(pid);
		if (error == ESRCH)
			error = 0;	// the others are there
	}
	// A pass in which a process was found and had ended is one, too.
	if (error != 0 && error != ESRCH) {
		if (why.empty())
			why = stack9_reason();
		return error;
	}
	all_.settle([this](tracked &&old) {
		gone_.push_back(std::move(old));
	});
	if (!all().empty() || !gone_.empty())
		return 0;
	if (why.empty())
		why = std::strerror(ESRCH);
	return ESRCH;
}

// A capture without a stack is repeated when the thread has run: it would fail
// again.  One whose sides are of different moments is repeated at once.
void
tracker::put(const sample_ptr &s)
{
	tracked *const at = all_.find(s->thread.tid);
	if (at == nullptr || (s->thread.start != 0 && at->thread.start !=
	    s->thread.start) || !at->has_run() ||
	    at->captured == all_.look())
		return;
	at->captured = all_.look();
	at->switches = s->switches != 0 ? s->switches :
	    has_stack(*s) ? 0 : at->now.switches;
	// As in a single capture: only those that are named.
	if (!s->kernel.has_value() && is_kernel_thread(*s) && tids_.empty())
		return;
	at->before = at->sample;
	at->sample = kept(s);
	moved_.push_back(at);
}

int
tracker::delivered(void *arg, const stack9_sample *s) noexcept
{
	tracker &t = *static_cast<tracker *>(arg);
	try {
		const sample like = from_library(*s);
		t.put(lent(like));
		return 0;
	} catch (const std::bad_alloc &) {
		t.no_memory_ = true;
		return 1;
	}
}

// False: there is no pass here.
bool
tracker::pass()
{
	const stack9_save_options o = save_options(opt_);
	for (const pid_t pid : processes_) {
		const stack9_thread td{pid, pid, 0};
		const int error = stack9_each(pid != 0 ? &td : nullptr,
		    opt_.sides(), &o, delivered, this);
		if (no_memory_)
			throw std::bad_alloc();
		if (error != 0 && error != ESRCH)
			return false;
	}
	return true;
}

void
tracker::capture()
{
	std::vector<pid_t> tids;
	for (const auto &[tid, t] : all())
		if (t.has_run())
			tids.push_back(tid);
	if (tids.size() > few && tids.size() > all().size() / worth_a_pass &&
	    pass())
		return;
	for (const pid_t tid : tids)
		put(capture_.of(tid));
}

} // namespace stackprint
