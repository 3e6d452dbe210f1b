// Reads and frees slots and pieces in the memory that the programs write to,
// and believes none of the numbers in it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>

#include <stack9_async.h>

#include "async_record.h"

namespace stack9::bpf {

// An id in its two parts.
struct slot_id {
	std::uint64_t	gen;
	std::uint32_t	slot;

	constexpr explicit slot_id(stack9_id id) noexcept
	    : gen(id >> S9_SLOT_BITS),
	      slot(static_cast<std::uint32_t>(id & S9_SLOT_MASK)) {}
	std::uint64_t word(s9_phase p) const noexcept
	    { return S9_WORD(gen, std::uint64_t{p}); }
};

// The most bytes of a stack, in its slot and its pieces.
inline constexpr std::uint32_t s9_most_of_stack =
    S9_ASYNC_STACK + S9_PIECES * S9_PIECE;
// The kernel's layout of an array.
inline constexpr std::uint32_t s9_piece_stride = (sizeof(s9_piece) + 7) / 8 * 8;

// Does not own the memory.
class slot_memory {
public:
	// Both counts are of the arrays, whose number 0 is never allocated.
	void lie_at(s9_async_slot *slots, std::uint32_t count, char *pieces,
	    std::uint32_t piece_count) noexcept;

	std::uint32_t captures() const noexcept { return count_ - 1; }
	s9_control &control() const noexcept { return slots_[0].control; }
	// NULL: no slot has that number.
	s9_async_slot *slot(std::uint32_t number) const noexcept;
	// The id that a slot has, in any phase; 0: none.
	stack9_id id_in(std::uint32_t slot) const noexcept;
	// The phase of id's slot; S9_FREE: the slot is not, or no longer, id's,
	// or its phase is none.
	s9_phase phase(slot_id) const noexcept;
	// Changes the phase as the programs do; false: it was another phase.
	bool change_phase(slot_id, s9_phase from, s9_phase to) const noexcept;

	// The bytes of a slot's i-th piece; empty: there is none.
	std::span<const char> piece(const s9_async_slot &, std::uint32_t i)
	    const noexcept;
	// Frees the slot and its pieces.
	void free_slot(slot_id) const noexcept;

protected:
	s9_async_slot	*slots_ = nullptr;
	char		*pieces_ = nullptr;

private:
	s9_piece &piece_at(std::uint32_t number) const noexcept;

	std::uint32_t	 count_ = 1, piece_count_ = 1;
};

} // namespace stack9::bpf
