// Decides when a memo is written, and replaces parts of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "memo.h"

#include <algorithm>
#include <cstring>

namespace stack9::unwind {

const std::uintptr_t never = never_word;

namespace {

void
move(remembered *to, const remembered *from, std::uint32_t n) noexcept
{
	std::memmove(to, from, n * sizeof *to);
}

} // namespace

// Writing costs a third of a walk, and is useless where captures have nothing
// in common.  So it pauses then, twice as long each time.
void
memo::note(bool much) noexcept
{
	constexpr std::uint32_t patience = 4;
	if (much) {
		useless_ = pause_ = 0;
		return;
	}
	if (pause_ != 0) {
		pause_--;
		return;
	}
	useless_ = std::min(useless_ + 1, patience + 8);
	if (useless_ >= patience)
		pause_ = std::min(1u << (useless_ - patience + 1), pause_max);
}

bool
memo::replace(std::uint32_t kept, std::uint32_t again, std::uint32_t n) noexcept
{
	const std::uint32_t before = kept - start;
	if (again < n + before) {
		// There is no space in front: next time it begins further on.
		slack_ = std::min(slack_ * 2, capacity_ / 2);
		return false;
	}
	const std::uint32_t first = again - n - before;
	if (first != start)
		move(frames() + first, frames() + start, before);
	move(frames() + again - n, fresh(), n);
	start = first;
	return true;
}

void
memo::finish(std::uint32_t kept, std::uint32_t n, bool is_whole) noexcept
{
	const remembered *const from = fresh();
	if (kept == start)	// nothing of the memo is left
		start = kept = std::min(slack_, capacity_ - 1 - n);
	if (frames() + kept != from)
		move(frames() + kept, from, n);
	ends_at(kept + n);
	whole = is_whole;
}

} // namespace stack9::unwind
