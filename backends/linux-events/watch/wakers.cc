// Distinguishes threads that wake from interrupts by their kernel stacks, and
// joins the stacks of wakers with those of the threads that they have woken.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "wakers.h"

#include <cerrno>
#include <cstring>

#include "bpf/frame_class.h"

namespace stack9::events {
namespace {

struct joined_head {
	std::uint64_t	size;		// of the event's stacks
	waker_name	name;
};
static_assert(sizeof(joined_head) % 8 == 0);

using bpf::frame_class;

// The number of frames up to the innermost entry of an interrupt; 0: there is
// none.
std::uint32_t
interrupt_depth(const identity_view &v) noexcept
{
	for (std::uint32_t i = 0; i < v.stacks.kernel; i++)
		if (bpf::classify(static_cast<std::uintptr_t>(v.kernel[i])) ==
		    frame_class::interrupt)
			return i + 1;
	return 0;
}

// Only a stack that is whole proves that there was no interrupt.
bool
is_of_thread(const identity_view &v) noexcept
{
	return v.stacks.kernel != 0 && bpf::classify(
	    static_cast<std::uintptr_t>(v.kernel[v.stacks.kernel - 1])) ==
	    frame_class::entry;
}

// Counts the bytes that a string has more or fewer in the end.
class counted_bytes {
public:
	counted_bytes(std::size_t &sum, const std::string &s)
	    : sum_(sum), s_(s) { sum_ -= s_.size(); }
	counted_bytes(const counted_bytes &) = delete;
	~counted_bytes() { sum_ += s_.size(); }

private:
	std::size_t		&sum_;
	const std::string	&s_;
};

} // namespace

// The stack below an interrupt is of a thread that has nothing to do with it.
void
wakers::keep(const s9_event_head &head, const std::string &stacks)
{
	const identity_view v(stacks);
	waker &w = of_[head.woken];
	const counted_bytes count(bytes_, w.stacks);
	w.since_ns = head.serial;
	w.name = {};
	w.name.kind = is_of_thread(v) ? waker_kind::thread :
	    waker_kind::unknown;
	if (const std::uint32_t depth = interrupt_depth(v); depth != 0) {
		s9_stacks cut{};
		cut.kernel = static_cast<__u16>(depth);
		cut.user_error = -EOPNOTSUPP;
		cut_.set(cut, v.kernel);
		w.stacks = cut_.bytes();
		w.name.kind = waker_kind::interrupt;
		return;
	}
	w.stacks = stacks;
	if (!named_ || w.name.kind != waker_kind::thread)
		return;
	w.name.start_ns = head.start_ns;
	w.name.tid = head.tid;
	w.name.pid = head.pid;
	std::memcpy(w.name.comm, head.comm, sizeof head.comm);
}

// A waker of another time is not this event's.
const std::string &
wakers::join(const s9_event_head &head, const std::string &stacks)
{
	const auto found = of_.find(head.host_tid);
	const bool is_its = found != of_.end() &&
	    found->second.since_ns == head.when_ns - head.weight_ns;
	const joined_head h{stacks.size(), is_its ? found->second.name :
	    waker_name{}};
	joined_.assign(reinterpret_cast<const char *>(&h), sizeof h);
	joined_ += stacks;
	if (is_its)
		joined_ += found->second.stacks;
	if (found != of_.end()) {
		bytes_ -= found->second.stacks.size();
		of_.erase(found);
	}
	return joined_;
}

joined_view::joined_view(std::string_view bytes) noexcept
{
	joined_head h;
	std::memcpy(&h, bytes.data(), sizeof h);
	name = h.name;
	stacks = bytes.substr(sizeof h, h.size);
	waker = bytes.substr(sizeof h + h.size);
}

} // namespace stack9::events
