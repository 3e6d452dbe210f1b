// Finds texts by the whole stack: it is compared, not only hashed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stack_texts.h"

#include <cstdint>
#include <utility>

#include "tools/lib/samples.h"

namespace stacksnoop {
namespace {

std::uint64_t
hash_of(const stack9_stack *s)
{
	return s != nullptr ? s->hash : 0;
}

const char *
reason_of(const stack9_stack *s)
{
	return s != nullptr ? s->reason : nullptr;
}

} // namespace

std::size_t
stack_texts::hash::operator()(const stack9_sample &s) const
{
	return hash_of(s.kernel) ^ hash_of(s.user) << 1;
}

// Equal stacks may have been refused for other reasons.
bool
stack_texts::equal::operator()(const stack9_sample &a, const stacks &s) const
{
	const stack9_sample &b = *s.of;
	return stack9_sample_same(&a, &b) &&
	    reason_of(a.kernel) == reason_of(b.kernel) &&
	    reason_of(a.user) == reason_of(b.user);
}

const std::string *
stack_texts::find(const stack9_sample &sample) const
{
	const auto it = texts_.find(sample);
	return it == texts_.end() ? nullptr : &it->text;
}

const std::string &
stack_texts::keep(const stack9_sample &sample, std::string &&text)
{
	return texts_.insert({tools::held(stack9_sample_hold(&sample)),
	    std::move(text)}).first->text;
}

} // namespace stacksnoop
