// Consumes the records of the ring: events of a stream, copies to unwind, and
// stacks that are counted here.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>
#include <new>

#include "watch.h"

namespace stack9::events {
namespace {

template <typename T>
const T &
as(const s9_event_head &head) noexcept
{
	return *reinterpret_cast<const T *>(&head);
}

} // namespace

int
watch::consume(const void *record, std::size_t size) noexcept
{
	try {
		return consume_record(
		    *static_cast<const s9_event_head *>(record), size);
	} catch (const std::bad_alloc &) {
		lost_here_++;
		return ENOMEM;
	}
}

int
watch::consume_record(const s9_event_head &head, std::size_t size)
{
	switch (head.what) {
	case S9_EVENT:
		return size < sizeof(s9_event) ? 0 :
		    consume_event(as<s9_event>(head));
	case S9_STACK_PART:
		if (size >= sizeof(s9_event_copy))
			parts_.add(as<s9_event_copy>(head));
		break;
	case S9_EVENT_COPY:
	case S9_BLOCKED_COPY:
		return size < sizeof(s9_event_copy) ? 0 :
		    consume_copy(as<s9_event_copy>(head));
	case S9_RESUMED:
		return consume_resumed(head);
	case S9_PROCESS:
		if (size >= sizeof(s9_event))
			processes_.find_or_add(
			    as<s9_event>(head).stacks.space, head);
		break;
	}
	return 0;
}

int
watch::consume_event(const s9_event &e)
{
	if (e.stacks.space.pid != 0)
		processes_.find_or_add(e.stacks.space, e.head);
	identity_.set(e.stacks, e.pcs);
	return count_or_deliver(e.head, identity_.bytes());
}

// The kernel's frames follow the copy and need not be aligned.
int
watch::consume_copy(const s9_event_copy &c)
{
	seen_process &whose = processes_.find_or_add(c.stacks.space, c.head);
	sides_->set_user(c, parts_, &whose);
	__u64 pcs[S9_MOST_FRAMES];
	const std::size_t n = std::min<std::size_t>(c.stacks.kernel,
	    S9_MOST_FRAMES);
	std::memcpy(pcs, c.bytes + c.user.bytes, 8 * n);
	identity_.set(c.stacks, pcs, sides_->user());
	if (c.head.what == S9_BLOCKED_COPY) {
		waiting_[c.head.host_tid] = {c.head.serial, identity_.bytes()};
		return 0;
	}
	return count_or_deliver(c.head, identity_.bytes());
}

int
watch::consume_resumed(const s9_event_head &head)
{
	const auto found = waiting_.find(head.host_tid);
	if (found == waiting_.end() || found->second.serial != head.serial) {
		lost_here_++;
		return 0;
	}
	const std::string stacks = std::move(found->second.stacks);
	waiting_.erase(found);
	return count_or_deliver(head, stacks);
}

int
watch::count_or_deliver(const s9_event_head &head, const std::string &identity)
{
	if (sink_.what == STACK9_WATCH_STREAM)
		return deliver_event(head, identity);
	local_.add(identity, {1, head.weight_ns});
	return 0;
}

int
watch::deliver_event(const s9_event_head &head, const std::string &identity)
{
	const identity_view v(identity);
	watch_sample s{};
	s.thread = thread_of(head);
	std::memcpy(s.comm, head.comm, sizeof head.comm);
	s.cpu = head.cpu;
	s.when_ns = head.when_ns;
	s.events = 1;
	s.weight_ns = head.weight_ns;
	if (head.point < points_.size() && knows_points())
		s.event = points_[head.point].label.c_str();
	// Two CPUs may have written their records in another order.
	if (head.dropped > dropped_reported_) {
		s.dropped = head.dropped - dropped_reported_;
		dropped_reported_ = head.dropped;
	}
	delivered_++;
	return deliver(s, v);
}

} // namespace stack9::events
