// Compares the counts of switches.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "threads.h"

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "tools/lib/cgroups.h"
#include "tools/record/limits.h"

namespace stackrecord {

// At the beginning of a segment the numbers begin again from the first, but
// what threads did is still known, and since when.
void
threads::expect(recording::tick &t, bool restart)
{
	tick_ = &t;
	threads_.begin();
	if (!restart)
		return;
	tables_.clear();
	processes_.clear();
	numbers_ = processes_numbers_ = 0;
	for (auto &[tid, each] : threads_.all())
		each.number = 0;
}

// A thread that can run may run between two ticks without a switch.
bool
threads::slept_on(const known &k, const found &f)
{
	return f.switches != 0 && f.switches == k.now.switches &&
	    f.state == k.now.state && f.state != 'R' && f.state != '?' &&
	    tools::is_same_thread(f.thread, k.thread);
}

// Another thread may have renamed it.
bool
threads::is_unchanged(const found &f)
{
	known *const at = threads_.find(f.thread.tid);
	if (at == nullptr || at->number == 0 || at->changed == 0 ||
	    !slept_on(*at, f))
		return false;
	known &k = *at;
	threads_.see(k);
	if (k.comm != f.comm) {
		k.comm = f.comm;
		tick_->names.push_back({k.number, k.comm, k.name});
	}
	const auto p = processes_.find(k.thread.pid);
	if (p != processes_.end())
		p->second.seen = threads_.look();
	return true;
}

threads::found
threads::found_by(const stack9_sample &s)
{
	return {s.thread, s.comm, static_cast<char>(s.state), s.switches};
}

bool
threads::is_unchanged(const stack9_sample &s)
{
	return is_unchanged(found_by(s));
}

bool
threads::is_unchanged(const stack9_state &s)
{
	return is_unchanged(found{s.thread, s.comm, static_cast<char>(s.state),
	    s.switches});
}

bool
threads::is_known(const stack9_thread &td) const
{
	const known *const k = threads_.find(td.tid);
	return k != nullptr && k->thread.start == td.start;
}

bool
threads::is_of_kernel(const stack9_thread &td) const
{
	const known *const k = threads_.find(td.tid);
	return k != nullptr && k->of_kernel && k->thread.start == td.start;
}

void
threads::pass_over(const stack9_thread &td)
{
	if (known *const k = threads_.find(td.tid))
		threads_.see(*k);
}

// Half of what a reader takes: the rest is for the next tick.
bool
threads::is_full() const
{
	return numbers_ > recording::most_threads / 2 || tables_.is_full();
}

known_process &
threads::process_of(pid_t pid)
{
	known_process &p = processes_[pid];
	p.seen = threads_.look();
	if (p.number == 0) {
		p.pid = pid;
		p.number = ++processes_numbers_;
		tick_->processes.push_back({pid,
		    tools::cgroup_of(pid)});
	}
	return p;
}

// A tid that another thread has now is another thread.
threads::known &
threads::thread_of(const stack9_sample &s)
{
	known *const now = threads_.find(s.thread.tid);
	if (now != nullptr && now->changed == threads_.look())
		return *now;
	return threads_.of(s.thread, [this](const known &old) {
		end(old);
	}).first;
}

// A sample without the name may be one whose memory could not be read.
void
threads::number(const stack9_sample &s, known &k)
{
	const std::string name(s.user != nullptr &&
	    s.user->thread_name != nullptr ? s.user->thread_name : "");
	const bool is_renamed = k.comm != s.comm ||
	    (!name.empty() && k.name != name);
	k.comm = s.comm;
	if (!name.empty())
		k.name = name;
	if (k.number == 0) {
		k.number = ++numbers_;
		tick_->threads.push_back({s.thread.tid,
		    process_of(s.thread.pid).number, s.thread.start, k.comm,
		    k.name});
	} else if (is_renamed) {
		tick_->names.push_back({k.number, k.comm, k.name});
	}
}

bool
threads::add(const stack9_sample &s)
{
	const bool gone = (s.kernel == nullptr || s.kernel->error == ESRCH) &&
	    (s.user == nullptr || s.user->error == ESRCH);
	if (gone && s.state == '?')
		return false;
	known &k = thread_of(s);
	if (k.changed == threads_.look())
		return false;
	k.seen = k.changed = threads_.look();
	number(s, k);
	known_process &p = process_of(s.thread.pid);
	recording::thread_state now;
	now.state = static_cast<char>(s.state);
	now.cpu = s.cpu;
	now.switches = s.switches;
	now.since_ns = slept_on(k, found_by(s)) ? k.now.since_ns :
	    tick_->boot_ns;
	k.of_kernel = k.of_kernel || (s.user != nullptr &&
	    s.user->why == STACK9_WHY_KTHREAD);
	if (s.kernel != nullptr)
		now.kernel = tables_.number_of(*s.kernel, p, *tick_);
	if (s.user != nullptr && !k.of_kernel)
		now.user = tables_.number_of(*s.user, p, *tick_);
	k.now = now;
	k.change = tick_->changes.size();
	tick_->changes.push_back({k.number, now});
	return !k.of_kernel;
}

void
threads::add(const stack9_wait &w)
{
	known *const at = threads_.find(w.sample->thread.tid);
	if (at == nullptr || at->changed != threads_.look() ||
	    w.kind == STACK9_WAIT_UNKNOWN || w.kind == STACK9_WAIT_NONE)
		return;
	known &k = *at;
	recording::wait made;
	made.kind = stack9_wait_text(w.kind);
	made.flags = w.flags;
	made.call = w.call;
	made.object = w.object;
	made.place = w.place;
	if (w.holders != 0)
		made.holder = w.holder[0].thread.tid;
	k.now.wait = tick_->changes[k.change].now.wait =
	    tables_.number_of(std::move(made), *tick_);
}

recording::event_count
threads::count_of(const stack9_sample &s, const recording::event &e)
{
	known &k = thread_of(s);
	number(s, k);
	known_process &p = process_of(s.thread.pid);
	recording::event_count c;
	c.event = tables_.number_of(e, *tick_);
	c.thread = k.number;
	if (s.kernel != nullptr)
		c.kernel = tables_.number_of(*s.kernel, p, *tick_);
	if (s.user != nullptr && s.user->why != STACK9_WHY_KTHREAD)
		c.user = tables_.number_of(*s.user, p, *tick_);
	c.events = s.events;
	c.ns = s.weight_ns;
	return c;
}

// Only a thread that a tick has had can end.
void
threads::end(const known &k)
{
	if (k.number != 0 && k.changed != 0)
		tick_->gone.push_back(k.number);
}

void
threads::end()
{
	threads_.settle([this](const known &k) { end(k); });
	for (auto at = processes_.begin(); at != processes_.end();)
		at = at->second.seen == threads_.look() ?
		    std::next(at) :
		    processes_.erase(at);
	std::sort(tick_->gone.begin(), tick_->gone.end());
	std::sort(tick_->changes.begin(), tick_->changes.end(),
	    [](const recording::change &a, const recording::change &b) {
		return a.thread < b.thread;
	});
}

} // namespace stackrecord
