// A capture that is kept until somebody collects it.  Backends may use it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <new>

#include <stack9.h>

namespace stack9 {

// With room of its own.
class kept_record {
public:
	// False: no memory.  What was there is not; room stays as it was first
	// asked for.
	bool
	make_room(std::uint32_t frames) noexcept
	{
		if (pcs_ == nullptr)
			pcs_.reset(new (std::nothrow) std::uintptr_t[frames]);
		rec = {};
		rec.pcs = pcs_.get();
		rec.max = frames;
		return pcs_ != nullptr;
	}

	// from has no more frames than there is room for.
	void
	keep(const stack9_record &from) noexcept
	{
		std::copy(from.pcs, from.pcs + from.depth, pcs_.get());
		rec = from;
		rec.pcs = pcs_.get();
	}

	// Into the room of the caller, who has given pcs and max.
	void
	give(stack9_record &to) const noexcept
	{
		stack9_record all = rec;
		all.pcs = to.pcs;
		all.max = to.max;
		all.text = to.text;
		all.text_size = to.text_size;
		all.space = to.space;
		all.depth = std::min(rec.depth, to.max);
		all.dropped = rec.dropped + (rec.depth - all.depth);
		if (all.depth < rec.depth)
			all.why = STACK9_WHY_TRUNCATED;
		std::copy(rec.pcs, rec.pcs + all.depth, to.pcs);
		to = all;
	}

	stack9_record	rec{};

private:
	std::unique_ptr<std::uintptr_t[]> pcs_;
};

// As stack9_collect() has it.
inline void
give_side(const kept_record &kept, bool asked_for, stack9_record &to) noexcept
{
	if (asked_for) {
		kept.give(to);
		return;
	}
	to.error = EINVAL;
	to.reason = "this side was not asked for";
}

} // namespace stack9
