// Takes the exact way of a thread that sleeps: nothing else shows an ordinary
// user its stack.  A capture that ended before the thread went on is of its
// sleep.  One that came too late is none, and the event is counted without a
// stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sleepers.h"

#include <cerrno>

#include "core/seam/capture_asleep.h"
#include "os/clocks.h"

namespace stack9::events {

void
sleepers::identify(const sleep &s, const stack_record &user)
{
	s9_stacks plain = s.stacks;
	plain.kernel_error = -EPERM;
	identity_.set(plain, nullptr, user, woven_);
}

bool
sleepers::capture(sleep &s)
{
	stack_record user{};
	seen_process &whose = processes_.find_or_add(s.stacks.space, s.head);
	pcs_.resize(S9_MOST_FRAMES);
	written_.clear();
	user.pcs = pcs_.data();
	user.max = static_cast<std::uint32_t>(pcs_.size());
	user.space = whose.space;
	user.written = from_.set().languages ? &written_ : nullptr;
	if (user.space == nullptr || capture_asleep(thread_of(s.head), user) !=
	    0 || user.depth == 0)
		return false;
	table_.put(written_, woven_);
	identify(s, user);
	s.identity = identity_.bytes();
	s.taken_ns = boot_ns();
	return true;
}

void
sleepers::capture()
{
	for (const std::int32_t tid : fresh_)
		if (const auto at = asleep_.find(tid); at != asleep_.end() &&
		    at->second.is_new) {
			at->second.is_new = false;
			capture(at->second);
		}
	fresh_.clear();
}

int
sleepers::leaves(const s9_event_head &head, const s9_space &space)
{
	sleep &s = asleep_[head.tid];
	s = {};
	s.head = head;
	s.stacks.space = space;
	fresh_.push_back(head.tid);
	return 0;
}

int
sleepers::add(sleep &s, std::uint64_t when_ns)
{
	const std::uint64_t took = when_ns - s.head.when_ns;
	const s9_config &c = from_.set().config;
	if (took < c.min_ns || (c.max_ns != 0 && took > c.max_ns) ||
	    (c.limit != 0 && events_ >= c.limit))
		return 0;
	if (s.identity.empty() || s.taken_ns >= when_ns) {
		stack_record none{};
		none.side = STACK9_USER;
		none.error = EAGAIN;
		none.why = STACK9_WHY_LATE;
		none.reason = "it went on before its stack was read";
		woven_ = {};
		identify(s, none);
		s.identity = identity_.bytes();
	} else {
		captured_++;
	}
	events_++;
	s.head.weight_ns = took;
	s.head.when_ns = when_ns;
	return to_.add(s.head, s.identity);
}

int
sleepers::comes_back(std::int32_t tid, std::uint64_t when_ns)
{
	const auto at = asleep_.find(tid);
	if (at == asleep_.end())
		return 0;
	sleep s = std::move(at->second);
	asleep_.erase(at);
	return when_ns > s.head.when_ns ? add(s, when_ns) : 0;
}

int
sleepers::end(std::uint64_t now_ns)
{
	int stop = 0;
	for (auto &[tid, s] : asleep_)
		if (stop == 0 && now_ns > s.head.when_ns)
			stop = add(s, now_ns);
	asleep_.clear();
	return stop;
}

} // namespace stack9::events
