// Has copies walked by the reader while their owner makes the next copies.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "reader.h"

namespace stack9 {

// Ends what it has begun when it is destroyed.
class walks {
public:
	walks() noexcept = default;
	walks(const walks &) = delete;
	~walks() { release(); }

	// False: each copy is to be walked by walk_copy().
	bool
	claim() noexcept
	{
		if (by_ != nullptr)
			return true;
		reader *const r = the_unwinder();
		if (r != nullptr && r->claim_walks())
			by_ = r;
		return by_ != nullptr;
	}
	void
	release() noexcept
	{
		if (by_ != nullptr)
			by_->release_walks();
		by_ = nullptr;
	}

	// The copy and the record may change afterwards.
	walk_begun
	begin(stack9_space &space, const user_copy &copy,
	    const stack_record &rec, const written_question &asked = {})
	    noexcept
	{
		return by_->begin_walk(space, copy, rec, asked);
	}
	// Waits for the walk that was begun first.  As walk_copy().
	space_walk
	end(stack_record &rec, std::uint64_t &wanted) noexcept
	{
		written_search unused;
		return end(rec, wanted, unused);
	}
	space_walk
	end(stack_record &rec, std::uint64_t &wanted, written_search &found)
	    noexcept
	{
		return by_->end_walk(rec, wanted, found);
	}

private:
	reader	*by_ = nullptr;
};

} // namespace stack9
