// Gives the frames of a stack, or of one address, with the space that names
// them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <new>
#include <vector>

#include "core/arguments.h"
#include "core/seam/names.h"
#include "core/seam/space.h"

#include "names.h"
#include "own_space.h"

namespace stack9 {
namespace {

constexpr unsigned int address_flags = STACK9_FRAMES_LINES |
    STACK9_FRAMES_DEBUGINFOD | STACK9_FRAMES_LINKAGE | STACK9_FRAMES_PLACES;
constexpr unsigned int stack_flags = address_flags | STACK9_FRAMES_NATIVE |
    STACK9_FRAMES_ALL;

// Names addresses of the calling process.  Its space is opened when the first
// of them comes.
class own_addresses {
public:
	bool
	give(frame_maker &to, std::uint64_t pc, bool exact,
	    std::uint32_t index)
	{
		if (space_ == nullptr)
			space_ = own_space(pc);
		return to.of_process(*space_, pc, exact, index);
	}

private:
	unique_space	space_;
};

// The rules of all frames, if nothing else is to be looked for in files; else
// none.
std::vector<std::uint32_t>
rules_of(const stack9_stack &s, unsigned int flags)
{
	std::vector<std::uint32_t> rules;
	if ((flags & STACK9_FRAMES_PLACES) == 0 || s.side != STACK9_USER ||
	    s.space == nullptr || (s.flags & STACK9_STACK_EXACT) == 0 ||
	    s.text != nullptr)
		return rules;
	rules.resize(s.depth);
	if (!stack_rules(*s.space, s.pcs, s.depth, rules.data()))
		rules.clear();
	return rules;
}

// Gives the functions of languages between the native frames.
class written_frames {
public:
	written_frames(const stack9_stack &s, unsigned int flags) noexcept
	    : at_(s.written), end_(s.written + s.written_count),
	      all_((flags & STACK9_FRAMES_ALL) != 0)
	{
		if ((flags & STACK9_FRAMES_NATIVE) != 0)
			at_ = end_;
	}

	// Gives those at an index.
	bool
	give(frame_maker &to, std::uint32_t index, bool &runs)
	{
		runs = false;
		for (; at_ != end_ && at_->index <= index; at_++) {
			runs |= (at_->flags & STACK9_WRITTEN_REPLACES) != 0;
			if (to.of_written(*at_))
				return true;
		}
		return false;
	}
	bool shows(bool runs) const noexcept { return all_ || !runs; }

private:
	const stack9_written	*at_, *const end_;
	const bool		all_;
};

// Each frame says if the next one was interrupted.
bool
give_all(const stack9_stack &s, unsigned int flags, frame_maker &to)
{
	own_addresses own;
	written_frames written(s, flags);
	bool runs;
	const std::vector<std::uint32_t> rules = rules_of(s, flags);
	for (std::uint32_t i = 0; i < s.depth; i++) {
		if (written.give(to, i, runs))
			return true;
		if (!written.shows(runs))
			continue;
		to.note_runs(runs);
		const bool exact = i == 0 ?
		    (s.flags & STACK9_STACK_EXACT) != 0 : rules.empty() ?
		    to.was_signal() || (s.space != nullptr &&
		    s.pcs != nullptr &&	// names alone have no addresses
		    is_exact_place(*s.space, s.pcs[i])) :
		    is_interrupted(rules[i - 1]);
		const bool ends = s.text != nullptr && s.text[i] != nullptr ?
		    to.of_text(s.text[i], i, s.side == STACK9_KERNEL) :
		    s.side == STACK9_KERNEL ? to.of_kernel(s.pcs[i], exact, i) :
		    s.space != nullptr ? to.of_process(*s.space, s.pcs[i],
		    exact, i) : own.give(to, s.pcs[i], exact, i);
		if (ends)
			return true;
	}
	return written.give(to, s.depth, runs);
}

} // namespace
} // namespace stack9

extern "C" int
stack9_frames(const struct stack9_stack *stack, unsigned int flags,
    stack9_frame_fn *fn, void *arg)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {stack == nullptr, "stack is NULL"},
	    {fn == nullptr, has_no_fn},
	    {(flags & ~stack_flags) != 0, has_unknown_flags},
	    }); error != 0)
		return error;
	return public_call([&] {
		frame_maker to(flags, fn, arg);
		return give_all(*stack, flags, to) ? ECANCELED : 0;
	});
}

extern "C" int
stack9_frame_at(struct stack9_space *space, uint64_t pc, unsigned int flags,
    stack9_frame_fn *fn, void *arg)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {fn == nullptr, has_no_fn},
	    {(flags & ~(address_flags | STACK9_FRAMES_RETURN)) != 0,
	    has_unknown_flags},
	    }); error != 0)
		return error;
	const bool exact = (flags & STACK9_FRAMES_RETURN) == 0;
	const known_frame *const known = space == nullptr ? nullptr :
	    known_frame_of(*space, pc, exact, flags);
	const auto give = [&](frame_maker &to) {
		if (space != nullptr)
			return to.of_process(*space, pc, exact, 0, known);
		if (is_kernel_address(pc))
			return to.of_kernel(pc, exact, 0);
		own_addresses own;
		return own.give(to, pc, exact, 0);
	};
	return public_call([&] {
		bool ended;
		if (known == nullptr || !give_known(*known, pc, flags, fn, arg,
		    ended)) {
			frame_maker to(flags, fn, arg);
			ended = give(to);
		}
		return ended ? ECANCELED : 0;
	});
}
