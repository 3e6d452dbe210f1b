// Gives memos to the stacks of a thread that take turns.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "spare_memos.h"

namespace stack9::unwind {

// Only what is to be given is touched.  The memo of a coroutine notices by
// itself whether it is of use.
[[gnu::noinline]] memo *
spare_memos::give(std::uint64_t key, range stack) noexcept
{
	constexpr std::uint32_t places =
	    (each - sizeof(memo)) / sizeof(remembered);
	const memo *const known = kept(key);
	if (known == nullptr || stack == range{}) {
		if (vain_ < patience)
			vain_++;
		else
			asked_++;
		if (is_vain() || memory_ == nullptr)
			return nullptr;
	}
	any_ = true;
	const std::size_t n = place(key);
	if (known == nullptr || known->on != stack) {
		tags_[n] = tag(key);
		at(n)->restart(places, stack);
	}
	return at(n);
}

} // namespace stack9::unwind
