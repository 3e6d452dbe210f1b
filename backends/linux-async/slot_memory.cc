// Changes phases and lists by compare-and-exchange, because programs change
// them at the same time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "slot_memory.h"

#include <atomic>

namespace stack9::bpf {
namespace {

static_assert(sizeof(s9_async_slot) == S9_ASYNC_SLOT);

std::atomic_ref<__u64>
atomic(__u64 &n) noexcept
{
	return std::atomic_ref<__u64>(n);
}

// Pushes a number as s9_pushed() does, until it succeeds.
void
push(s9_free_list &list, std::uint32_t number, __u64 &next) noexcept
{
	__u64 head = atomic(list.head).load();
	do
		next = static_cast<std::uint32_t>(head);
	while (!atomic(list.head).compare_exchange_weak(head,
	    ((head >> 32) + 1) << 32 | number));
}

} // namespace

void
slot_memory::lie_at(s9_async_slot *slots, std::uint32_t count, char *pieces,
    std::uint32_t piece_count) noexcept
{
	slots_ = slots;
	count_ = count;
	pieces_ = pieces;
	piece_count_ = piece_count;
}

s9_async_slot *
slot_memory::slot(std::uint32_t number) const noexcept
{
	return number > 0 && number < count_ ? &slots_[number] : nullptr;
}

stack9_id
slot_memory::id_in(std::uint32_t number) const noexcept
{
	const std::uint64_t word = atomic(slots_[number].h.word).load();
	return word % S9_PHASES == S9_FREE ? 0 :
	    S9_ID(word / S9_PHASES, number);
}

s9_phase
slot_memory::phase(slot_id id) const noexcept
{
	s9_async_slot *const s = slot(id.slot);
	if (s == nullptr)
		return S9_FREE;
	const std::uint64_t word = atomic(s->h.word).load();
	const std::uint64_t now = word % S9_PHASES;
	return word / S9_PHASES == id.gen && now <= S9_DROPPED ?
	    static_cast<s9_phase>(now) : S9_FREE;
}

bool
slot_memory::change_phase(slot_id id, s9_phase from, s9_phase to) const noexcept
{
	__u64 expected = id.word(from);
	return atomic(slots_[id.slot].h.word).compare_exchange_strong(expected,
	    id.word(to));
}

s9_piece &
slot_memory::piece_at(std::uint32_t number) const noexcept
{
	return *reinterpret_cast<s9_piece *>(pieces_ +
	    std::size_t{number} * s9_piece_stride);
}

std::span<const char>
slot_memory::piece(const s9_async_slot &s, std::uint32_t i) const noexcept
{
	if (i >= S9_PIECES || i >= s.h.pieces)
		return {};
	const std::uint32_t number = s.h.piece[i];
	if (number == 0 || number >= piece_count_)
		return {};
	return {piece_at(number).bytes, S9_PIECE};
}

void
slot_memory::free_slot(slot_id id) const noexcept
{
	s9_async_slot &s = slots_[id.slot];
	for (std::uint32_t i = 0; i < S9_PIECES && i < s.h.pieces; i++)
		if (const std::uint32_t n = s.h.piece[i];
		    n > 0 && n < piece_count_)
			push(control().pieces, n, piece_at(n).next);
	s.h.pieces = 0;
	atomic(s.h.word).store(id.word(S9_FREE));
	push(control().slots, id.slot, s.h.next);
}

} // namespace stack9::bpf
