// Publishes rules from copied stacks, finds the space that a copy has if it is
// walked, and compares copies with walks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk_rules.h"

#include <algorithm>
#include <array>
#include <bit>

namespace stack9::events {

namespace {

// Returns true if the process is to be read for what a copy lacks.  Many copies
// may come before the programs know, and some stacks have nothing that can
// be learned, so it is read ever more seldom.
bool
is_to_be_read(std::uint32_t cut) noexcept
{
	constexpr std::uint32_t first = 64;
	return cut <= first || std::has_single_bit(cut);
}

} // namespace

std::uint32_t
flags_of_walk(__s16 user_error) noexcept
{
	return STACK9_STACK_EXACT |
	    ((user_error & S9_GUESSED) ? STACK9_STACK_GUESSED : 0);
}

int
walk_rules::open(programs &from, const settings &set)
{
	return publisher_.open({from.map(map_id::rules),
	    from.map(map_id::more_rules), from.map(map_id::pages),
	    from.map(map_id::rows), from.map(map_id::mapped)}, set.rules);
}

// The space may be another one than that of the last event.
void
walk_rules::publish(waiting_event &e)
{
	const stack_record &user = e.user.record();
	lacks_witness_ |= e.head.walk == S9_WALK_NO_WITNESS;
	if (e.whose == nullptr || user.space == nullptr ||
	    user.space != e.whose->space)
		return;
	const std::uint32_t number = processes::number_of(*e.whose);
	if (number == 0 || number >= S9_GUESSED)
		return;
	const auto from = [&](const stack_record &stack) {
		publisher_.publish(std::bit_cast<rule_publisher::space_key>(
		    e.stacks.space), number, *user.space, stack,
		    static_cast<s9_walk_end>(e.head.walk), e.head.when_ns);
	};
	stack_record more{};
	const bool by_rules = e.head.walk >= S9_WALK_NEW_PROCESS &&
	    e.head.walk <= S9_WALK_NEW_RULE;
	if (!by_rules || !e.user.is_cut() || !is_to_be_read(++e.whose->cut))
		return from(user);
	beyond_.resize(S9_MOST_FRAMES);
	from(e.user.walk_beyond(beyond_, more) ? more : user);
}

stack_record
walk_rules::as_walked(waiting_event &e) const
{
	stack_record user = e.user.record();
	if (e.whose == nullptr || e.whose->versions.size() < 2)
		return user;
	const auto &all = e.whose->versions;
	for (std::uint32_t list = 1; list <= all.size(); list++)
		if (all[list - 1].space.get() == user.space) {
			const std::uint32_t number = publisher_.number_of(
			    std::bit_cast<rule_publisher::space_key>(
			    e.stacks.space), list, user);
			if (number != 0)
				user.space = all[number - 1].space.get();
			break;
		}
	return user;
}

// A copy may end before the stack does: the kernel reads on where a signal's
// handler has a stack of its own.  A copy that was unwound after its process
// had mapped other code may be wrong.  A walk is not.
void
walk_rules::compare(waiting_event &e)
{
	const stack_record &user = e.user.record();
	if (e.walked.empty() || e.whose == nullptr ||
	    processes_.has_changed(*e.whose, e.head.when_ns))
		return;
	const bool cut = user.why != STACK9_WHY_NONE;
	const std::size_t depth = std::min<std::size_t>(user.depth,
	    e.walked.size());
	differing_ += (!cut && user.depth != e.walked.size()) ||
	    depth < user.depth ||
	    user.flags != flags_of_walk(e.walked_error) ||
	    !std::equal(user.pcs, user.pcs + depth, e.walked.begin());
}

} // namespace stack9::events
