// Delivers the counts of a watch, and its tally.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <bpf/bpf.h>

#include "watch.h"

namespace stack9::events {

// Adds the elements of the tables under the identities that they have here.
class watch::in_kernel final : public table_visitor {
public:
	in_kernel(watch &of, local_counts &to) : of_(of), to_(to) {}

	int
	visit(const void *, const void *value) override
	{
		const auto &c = *static_cast<const s9_counted *>(value);
		s9_count count = c.count;
		// Both only grow, so the slot may be read later.
		std::uint64_t more = 0;
		if (const int error = c.slot == 0 ? 0 :
		    read_repeats(of_.programs_, c.slot, more); error != 0)
			return error;
		count.events += more;
		of_.identify(c.stacks, c.pcs, identity_);
		to_.add(identity_.bytes(), count);
		return 0;
	}

private:
	watch		&of_;
	local_counts	&to_;
	identity	 identity_;
};

// Fills both records from the identity.
void
watch::fill_sides(const identity_view &v, sides &to)
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
	to.set_user(user);
}

// NULL: nobody was seen.  An interrupt has no user side.
const watch_waker *
watch::show_waker(const joined_view &joined)
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
watch::deliver(watch_sample &s, const identity_view &v)
{
	fill_sides(v, *sides_);
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
watch::deliver_counted(const identity_view &v, const s9_count &count,
    const watch_waker *waker)
{
	watch_sample s{};
	s.waker = waker;
	s.cpu = -1;
	delivered_ += count.events;
	s.events = count.events;
	s.weight_ns = count.weight_ns;
	if (probes_.size() == 1)
		s.event = probes_[0].label.c_str();
	if (v.stacks.space.pid != 0) {
		if (const seen_process *p = processes_.find(v.stacks.space)) {
			s.thread.pid = p->thread.pid;
			std::memcpy(s.comm, p->comm, sizeof p->comm);
		} else if (set_.config.init_ns) {
			s.thread.pid = static_cast<pid_t>(v.stacks.space.pid);
		}
	}
	return deliver(s, v);
}

// Collects all counts from the kernel's tables.
int
watch::gather(local_counts &all)
{
	in_kernel reader(*this, all);
	return set_.wakers || (set_.config.copy && !programs_.walks()) ? 0 :
	    read_stacks(programs_, reader);
}

int
watch::counts()
{
	if (sink_.what != STACK9_WATCH_COUNT)
		return EINVAL;
	if (reader_.reading())
		return EBUSY;
	// Only the records that have come by now: more may come all the time.
	read_ring(0);
	if (stopped_)
		while (read_ring(0) == 0)
			continue;
	truncated_ = delivered_ = 0;
	all_delivered_ = false;
	const int error = deliver_all();
	all_delivered_ = error == 0 && stopped_;
	return error;
}

int
watch::deliver_all()
{
	local_counts all = local_;
	if (const int error = gather(all); error != 0)
		return error;
	distinct_ = all.stacks();
	return all.each([this](const std::string &identity,
	    const s9_count &count) {
		if (!set_.wakers)
			return deliver_counted(identity_view(identity), count,
			    nullptr);
		const joined_view both(identity);
		return deliver_counted(identity_view(both.stacks), count,
		    show_waker(both));
	});
}

// The first copy tells that the kernel lacks a witness.
bool
watch::cannot_walk() const noexcept
{
	return set_.cannot_walk || (set_.config.walk &&
	    (!programs_.walks() || lacks_witness_));
}

int
watch::counted(watch_totals &t)
{
	s9_totals all;
	if (const int error = totals_.read(all); error != 0)
		return error;
	t.events = all.events + ended_;
	t.nested = all.nested;
	t.no_room = all.no_room + lost_here_;
	t.spilled = all.spilled;
	t.skipped = stopped_ ? skipped_ : programs_.skipped();
	t.truncated = truncated_;
	t.flags = cannot_walk() ? STACK9_TALLY_NO_WALK : 0;
	t.walked = all.walked;
	t.remembered = all.remembered;
	t.copied = all.copied;
	t.differing = differing_;
	t.refused = publisher_.slots().refused();
	t.frames = set_.config.frames;
	t.probes = static_cast<std::uint32_t>(probes_.size());
	t.stacks = all_delivered_ && distinct_ != 0 ? distinct_ :
	    all.stacks + local_.stacks();
	const std::uint64_t not_kept = t.nested + t.no_room;
	// Once all counts have been delivered, their sum is known.
	const bool known = sink_.what == STACK9_WATCH_STREAM || all_delivered_;
	t.kept = known ? delivered_ : set_.wakers || (set_.config.copy &&
	    !programs_.walks()) ? local_.events() :
	    t.events - std::min(t.events, not_kept);
	return 0;
}

} // namespace stack9::events
