// Keeps a capture until it is collected.  Backends may use it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <new>

#include "record.h"

namespace stack9 {

// A record with a buffer of its own.
class kept_record {
public:
	// Empties the record.  The first call allocates the buffer, whose size
	// never changes.  False: no memory.
	bool
	allocate(std::uint32_t frames) noexcept
	{
		if (pcs_ == nullptr)
			pcs_.reset(new (std::nothrow) std::uintptr_t[frames]);
		rec = {};
		rec.pcs = pcs_.get();
		rec.max = frames;
		return pcs_ != nullptr;
	}

	// from has no more frames than the buffer holds.
	void
	keep(const stack_record &from) noexcept
	{
		std::copy(from.pcs, from.pcs + from.depth, pcs_.get());
		rec = from;
		rec.pcs = pcs_.get();
	}

	// Copies the record to the caller's, who has set pcs and max.
	void
	copy_to(stack_record &to) const noexcept
	{
		stack_record all = rec;
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

	stack_record	rec{};

private:
	std::unique_ptr<std::uintptr_t[]> pcs_;
};

// Copies one side as stack9_collect() says.
inline void
copy_side(const kept_record &kept, bool asked_for, stack_record &to) noexcept
{
	if (asked_for) {
		kept.copy_to(to);
		return;
	}
	to.error = EINVAL;
	to.reason = "this side was not asked for";
}

} // namespace stack9
