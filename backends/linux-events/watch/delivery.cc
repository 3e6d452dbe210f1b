// Fills samples from identities and hands them to the caller's function.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "delivery.h"

#include <cstring>

namespace stack9::events {

void
delivery::begin(const stack_form &form, const stack_form *of_wakers)
{
	sides_.emplace(form);
	if (of_wakers != nullptr)
		waker_sides_.emplace(*of_wakers);
}

// Fills both records from the identity.
void
delivery::fill_sides(const identity_view &v, sides &to)
{
	seen_process *const whose = v.stacks.space.pid != 0 ?
	    processes_.find(v.stacks.space) : nullptr;
	if (sink_.side & STACK9_KERNEL)
		to.set_kernel(v.stacks, v.kernel);
	if (!(sink_.side & STACK9_USER))
		return;
	if (!v.end.unwound) {
		to.set_user(v.stacks, v.user, whose);
		return;
	}
	stack_record user{};
	user.side = STACK9_USER;
	user.route = "events";
	user.error = static_cast<int>(v.end.error);
	user.why = static_cast<stack9_why>(v.end.why);
	user.reason = v.end.reason;
	user.flags = v.end.flags;
	user.depth = v.end.depth;
	user.dropped = v.end.dropped;
	user.cpu = -1;
	user.state = '?';
	user.pcs = const_cast<std::uintptr_t *>(
	    reinterpret_cast<const std::uintptr_t *>(v.user));
	user.space = v.end.space;
	if (v.end.written != 0) {
		table_.show(v.written, v.end.written, to.written);
		user.written = &to.written;
	}
	to.set_user(user);
}

// NULL: nobody was seen.  An interrupt has no user side.
const watch_waker *
delivery::show_waker(const joined_view &joined)
{
	const waker_name &n = joined.name;
	if (n.kind == waker_kind::none)
		return nullptr;
	const identity_view v(joined.waker);
	fill_sides(v, *waker_sides_);
	s9_event_head head{};
	head.tid = n.tid;
	head.pid = n.pid;
	head.start_ns = n.start_ns;
	waker_ = {};
	waker_.thread = thread_of(head);
	std::memcpy(waker_.comm, n.comm, sizeof n.comm);
	waker_.what = n.kind == waker_kind::thread ? STACK9_WAKER_THREAD :
	    n.kind == waker_kind::interrupt ? STACK9_WAKER_INTERRUPT :
	    STACK9_WAKER_UNKNOWN;
	const seen_process *const p = v.stacks.space.pid != 0 &&
	    n.kind == waker_kind::thread && n.tid == 0 ?
	    processes_.find(v.stacks.space) : nullptr;
	if (p != nullptr) {
		waker_.thread.pid = p->thread.pid;
		std::memcpy(waker_.comm, p->comm, sizeof p->comm);
	}
	if (sink_.side & STACK9_KERNEL)
		waker_.kernel = &waker_sides_->kernel();
	if (sink_.side & STACK9_USER)
		waker_.user = &waker_sides_->user();
	return &waker_;
}

int
delivery::deliver(watch_sample &s, const identity_view &v)
{
	fill_sides(v, *sides_);
	lacking_ += v.end.lacking != 0 ? s.events : 0;
	if (sink_.side & STACK9_KERNEL)
		s.kernel = &sides_->kernel();
	if (sink_.side & STACK9_USER)
		s.user = &sides_->user();
	for (const stack_record *const rec : {s.kernel, s.user})
		if (rec != nullptr && rec->why == STACK9_WHY_TRUNCATED) {
			truncated_ += s.events;
			break;
		}
	return sink_.fn(sink_.arg, &s);
}

int
delivery::deliver_counted(const identity_view &v, const s9_count &count,
    const watch_waker *waker)
{
	watch_sample s{};
	s.waker = waker;
	s.cpu = -1;
	delivered_ += count.events;
	s.events = count.events;
	s.weight_ns = count.weight_ns;
	if (from_.probes().size() == 1)
		s.event = from_.probes()[0].label.c_str();
	if (v.stacks.space.pid != 0) {
		if (const seen_process *p = processes_.find(v.stacks.space)) {
			s.thread.pid = p->thread.pid;
			std::memcpy(s.comm, p->comm, sizeof p->comm);
		} else if (from_.set().config.init_ns) {
			s.thread.pid = static_cast<pid_t>(v.stacks.space.pid);
		}
	}
	return deliver(s, v);
}

int
delivery::event(const s9_event_head &head, const std::string &identity)
{
	watch_sample s{};
	s.thread = thread_of(head);
	std::memcpy(s.comm, head.comm, sizeof head.comm);
	s.cpu = head.cpu;
	s.when_ns = head.when_ns;
	s.events = 1;
	s.weight_ns = head.weight_ns;
	if (from_.set().lends)
		s.cookie = head.serial;
	if (head.probe < from_.probes().size() &&
	    from_.knows_probes())
		s.event = from_.probes()[head.probe].label.c_str();
	// Two CPUs may have written their records in another order.
	if (head.dropped > dropped_reported_) {
		s.dropped = head.dropped - dropped_reported_;
		dropped_reported_ = head.dropped;
	}
	delivered_++;
	if (!from_.set().wakers)
		return deliver(s, identity_view(identity));
	const joined_view both(identity);
	s.waker = show_waker(both);
	return deliver(s, identity_view(both.stacks));
}

int
delivery::counted(const std::string &identity, const s9_count &count)
{
	if (!from_.set().wakers)
		return deliver_counted(identity_view(identity), count, nullptr);
	const joined_view both(identity);
	return deliver_counted(identity_view(both.stacks), count,
	    show_waker(both));
}

} // namespace stack9::events
