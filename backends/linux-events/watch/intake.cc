// Consumes the records of the ring: events of a stream, copies to unwind, and
// stacks that are counted here.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "intake.h"

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
intake::open(programs &from, const settings &set)
{
	const int error = reader_.open(from, *this);
	reported_.open(set.languages, from.reports() ?
	    from.map(map_id::chains) : -1);
	return error != 0 || !from.walks() ? error : rules_.open(from, set);
}

void
intake::abandon() noexcept
{
	reader_.abandon();
	rules_.abandon();
}

int
intake::consume(const void *record, std::size_t size) noexcept
{
	try {
		return consume_record(
		    *static_cast<const s9_event_head *>(record), size);
	} catch (const std::bad_alloc &) {
		lost_++;
		return ENOMEM;
	}
}

int
intake::consume_record(const s9_event_head &head, std::size_t size)
{
	if (head.what == S9_EVENT_COPY || head.what == S9_BLOCKED_COPY ||
	    head.what == S9_RESUMED)
		again_.meet(head);
	switch (head.what) {
	case S9_EVENT:
	case S9_WAKER:
		return size < sizeof(s9_event) ? 0 :
		    consume_event(as<s9_event>(head));
	case S9_STACK_PART:
		if (size >= sizeof(s9_event_copy))
			parts_.add(as<s9_event_copy>(head));
		break;
	case S9_EVENT_COPY:
	case S9_BLOCKED_COPY:
	case S9_WAKER_COPY:
		return size < sizeof(s9_event_copy) ? 0 :
		    consume_copy(as<s9_event_copy>(head));
	case S9_RESUMED:
		if (line_->empty())
			return count_resumed(head);
		line_->add(line_->begin(waiting_event::kind::resumed, head));
		break;
	case S9_PROCESS:
		if (size >= sizeof(s9_event))
			meet(as<s9_event>(head).stacks.space, head);
		break;
	case S9_REPORTED:
		learn(as<s9_event>(head), size);
		break;
	}
	return 0;
}

seen_process &
intake::meet(const s9_space &key, const s9_event_head &head)
{
	seen_process &whose = processes_.find_or_add(key, head);
	if (reported_.meet(key, whose))
		reader_.there_are_chains();
	return whose;
}

void
intake::learn(const s9_event &e, std::size_t size)
{
	const std::size_t frames = std::size_t{e.stacks.kernel} +
	    e.stacks.user;
	if (size < sizeof e || size < sizeof e + (frames + e.stacks.reported) *
	    sizeof e.pcs[0])
		return;
	reported_.learn(meet(e.stacks.space, e.head), {e.pcs + frames,
	    e.stacks.reported});
}

int
intake::consume_event(const s9_event &e)
{
	if (e.stacks.space.pid != 0)
		meet(e.stacks.space, e.head);
	identify(e.stacks, e.pcs, identity_);
	if (line_->empty())
		return to_.add(e.head, identity_.bytes());
	auto waits = line_->begin(waiting_event::kind::whole, e.head);
	waits->identity = identity_.bytes();
	line_->add(std::move(waits));
	return 0;
}

// A stack that was walked has the identity that it has as a copy.
void
intake::identify(const s9_stacks &s, const __u64 *pcs, identity &to)
{
	if (s.user_error <= 0) {
		to.set(s, pcs);
		return;
	}
	static_assert(sizeof(std::uintptr_t) == sizeof *pcs);
	s9_stacks plain = s;
	plain.user = 0;
	plain.user_error = 0;
	plain.reported = plain.reported_end = 0;
	stack_record user{};
	user.flags = flags_of_walk(s.user_error);
	user.depth = s.user;
	user.pcs = const_cast<std::uintptr_t *>(
	    reinterpret_cast<const std::uintptr_t *>(pcs + s.kernel));
	const auto number = static_cast<std::size_t>(s.user_error &
	    ~S9_GUESSED);
	if (const seen_process *const p = processes_.find(s.space);
	    p != nullptr && number <= p->versions.size())
		user.space = p->versions[number - 1].space.get();
	reported_.weave(user, {pcs + s.kernel + s.user, s.reported},
	    s.reported_end == S9_REPORTED_WHOLE, woven_);
	to.set(plain, pcs, user, woven_);
}

// Events that are left in line come first.
int
intake::take(const s9_event &e)
{
	if (reader_.reading())
		return EBUSY;
	const int stop = end_line();
	return stop != 0 ? stop : consume_event(e);
}

// The kernel's frames follow the copy and need not be aligned.
int
intake::consume_copy(const s9_event_copy &c)
{
	using kind = waiting_event::kind;
	seen_process &whose = meet(c.stacks.space, c.head);
	auto e = line_->begin(c.head.what == S9_BLOCKED_COPY ? kind::blocked :
	    kind::copied, c.head);
	e->stacks = c.stacks;
	e->stacks.user = 0;
	e->stacks.user_error = 0;
	e->stacks.reported = e->stacks.reported_end = 0;
	e->reported_whole = c.stacks.reported_end == S9_REPORTED_WHOLE;
	e->walked_error = c.stacks.user_error;
	e->whose = &whose;
	e->walked.resize(std::min<std::size_t>(c.stacks.user,
	    S9_MOST_FRAMES));
	e->kernel.resize(std::min<std::size_t>(c.stacks.kernel,
	    S9_MOST_FRAMES));
	e->reported.resize(std::min<std::size_t>(c.stacks.reported,
	    S9_REPORTED_WORDS));
	const char *at = c.bytes + c.user.bytes;
	for (std::vector<__u64> *const v : {&e->kernel, &e->walked,
	    &e->reported}) {
		std::memcpy(v->data(), at, 8 * v->size());
		at += 8 * v->size();
	}
	int stop = 0;
	if (e->user.take(c, parts_, processes_, &whose))
		while (!line_->begin_walk(*e) && stop == 0)
			stop = end_first();
	const bool at_once = line_->empty() &&
	    e->still != waiting_event::need::end;
	line_->add(std::move(e));
	return at_once ? end_first() : stop;
}

// Copies may have as many frames as a copy has words.  Such stacks are seldom
// equal, so those that are kept could fill the memory.
std::uint32_t
intake::most_frames() const noexcept
{
	constexpr std::uint32_t of_a_copy =
	    S9_COPY_PARTS * S9_COPY_ROOM / sizeof(std::uint64_t);
	constexpr std::size_t much = 128 << 20;
	if (sink_.frames != 0)
		return sink_.frames;
	return to_.bytes() + blocked_.bytes() < much ?
	    of_a_copy : S9_MOST_FRAMES;
}

// Events leave the line in the order in which they came.
int
intake::end_first()
{
	using kind = waiting_event::kind;
	auto e = line_->take(most_frames());
	const s9_event_head head = e->head;
	const kind what = e->what;
	if (what == kind::whole)
		std::swap(whole_, e->identity);
	else if (what != kind::resumed) {
		rules_.compare(*e);
		rules_.publish(*e);
		stack_record user = rules_.as_walked(*e);
		woven_ = {};
		if (e->whose != nullptr)
			reported_.weave(*e->whose, e->user.copy(), user,
			    e->reported, e->reported_whole, woven_);
		if (e->whose != nullptr &&
		    e->whose->runtimes.chain != S9_CHAIN_NONE)
			again_.take(head, user, woven_);
		identity_.set(e->stacks, e->kernel.data(), user, woven_);
	}
	line_->give_back(std::move(e));
	switch (what) {
	case kind::resumed:
		return count_resumed(head);
	case kind::whole:
		return to_.add(head, whole_);
	case kind::blocked:
		blocked_.keep(head, identity_.bytes());
		return 0;
	case kind::copied:
		break;
	}
	return to_.add(head, identity_.bytes());
}

int
intake::end_line()
{
	while (!line_->empty())
		if (const int stop = end_first(); stop != 0)
			return stop;
	line_->rest();
	return 0;
}

// Events that are left in line, because one before them ended the reading, come
// first in the next reading.
int
intake::read(int timeout_ms)
{
	if (reader_.reading())
		return EBUSY;
	if (const int stop = end_line(); stop != 0)
		return stop;
	const int error = reader_.read(timeout_ms);
	const int stop = error == 0 || error == EAGAIN || error == EINTR ?
	    end_line() : 0;
	return stop != 0 ? stop : error;
}

int
intake::count_resumed(const s9_event_head &head)
{
	std::string stacks;
	if (blocked_.take(head, stacks))
		return to_.add(head, stacks);
	lost_++;
	return 0;
}

} // namespace stack9::events
