// Walks PERL_SI, a chain of stacks, and the PERL_CONTEXT on each of them
// (cop.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "contexts.h"

#include <array>
#include <cstring>

#include "languages/chain.h"

namespace stack9::languages::perl {
namespace {

// A chain that is longer is a cycle.
constexpr std::uint32_t most_stacks = 1 << 14, most_contexts = 1 << 18;

using bytes = std::array<std::byte, context_size>;

std::uint64_t
word_of(const bytes &b, std::uint64_t at)
{
	std::uint64_t w;
	std::memcpy(&w, b.data() + at, sizeof w);
	return w;
}

// False: it is of no interest.
bool
take(const bytes &b, context &to)
{
	const auto type = std::to_integer<unsigned int>(b[0]);
	const unsigned int what = type & type_of_context;
	if (what != type_sub && what != type_format && what != type_eval)
		return false;
	to = {};
	to.what = what == type_eval ? context::kind::eval : context::kind::sub;
	to.is_frame = what == type_format || (type & is_again) == 0;
	to.cop = word_of(b, context_cop);
	to.back = word_of(b, context_return);
	to.is_entered = to.back == 0;
	if (what == type_eval)
		to.jump = word_of(b, context_jump);
	else
		to.cv = word_of(b, context_cv);
	return true;
}

void
read_jumps(unwind::memory &m, context &to)
{
	std::uint64_t first = 0;
	if (to.what != context::kind::eval ||
	    !m.word(to.jump, to.before) || to.before == 0)
		return;
	to.is_within = m.word(to.before, first) && first != 0;
}

} // namespace

context
a_comparison()
{
	context to{};
	to.what = context::kind::comparison;
	to.is_entered = true;
	return to;
}

bool
read_contexts(unwind::memory &m, std::uint64_t stack, std::vector<context> &to)
{
	std::uint32_t left = most_contexts;
	chain c(most_stacks);
	for (std::uint64_t previous; c.goes_on(stack); stack = previous) {
		std::uint64_t contexts;
		std::int32_t top, type;
		bool has_sub = false, is_entered = false;
		if (!m.word(stack + stack_contexts, contexts) ||
		    !m.word(stack + stack_previous, previous) ||
		    !m.read(stack + stack_top, &top, sizeof top) ||
		    !m.read(stack + stack_type, &type, sizeof type))
			return false;
		for (; top >= 0; top--) {
			bytes b;
			context one;
			if (left-- == 0 || !m.read(contexts + context_size *
			    static_cast<std::uint32_t>(top), b.data(),
			    b.size()))
				return false;
			if (!take(b, one))
				continue;
			read_jumps(m, one);
			if (one.what == context::kind::sub) {
				// The code of a pattern has no OP after its
				// last one: what this calls returns to C.
				one.is_entered &= one.is_frame || !is_entered;
				is_entered = one.is_entered;
				has_sub |= is_entered;
			}
			to.push_back(one);
		}
		if (type == sort_stack && !has_sub)
			to.push_back(a_comparison());
	}
	return !c.is_broken();
}

} // namespace stack9::languages::perl
