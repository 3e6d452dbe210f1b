// Writes words over a stack, and puts them right again.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "robust_child.h"

inline constexpr std::size_t words_spoiled = 128;

// The words of a stack from here outwards, put right again in the end.
class spoiled {
public:
	spoiled(std::uintptr_t *from, std::uintptr_t *to)
	    : from_(from), count_(static_cast<std::size_t>(to - from))
	{
		must(count_ <= words_spoiled, "there is room for them");
		std::copy(from, to, kept_);
	}
	~spoiled() { std::copy(kept_, kept_ + count_, from_); }

private:
	std::uintptr_t	*from_;
	std::size_t	 count_;
	std::uintptr_t	 kept_[words_spoiled];
};

// Frame n outwards by its frame pointers: the place of a saved frame pointer,
// followed by the return address.
inline std::uintptr_t *
frame_at(std::uintptr_t *frame, std::uint64_t n)
{
	while (n-- > 0)
		frame = reinterpret_cast<std::uintptr_t *>(*frame);
	return frame;
}
