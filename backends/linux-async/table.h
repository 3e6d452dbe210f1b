// Gives the process access to the slots of asynchronous captures and their
// memory.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include <stack9_async.h>

#include "light.h"
#include "async_record.h"
#include "bpf/object.h"

namespace stack9::bpf {

struct async_limits {
	std::uint32_t	captures = 1024;
	std::size_t	bytes = 4 << 20;	// for pieces
};

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

class async_table {
public:
	// first_gen: the ids of other tables are below it.  0, or an errno, and
	// then nothing is open.  After EAGAIN another try may succeed.
	int open(const async_limits &, std::uint64_t first_gen) noexcept;
	async_table() noexcept = default;
	async_table(const async_table &) = delete;
	async_table &operator=(const async_table &) = delete;
	~async_table();

	std::uint32_t captures() const noexcept { return sizes_.slots - 1; }
	int submit_program() const noexcept { return submit_.get(); }
	int tracepoint_program() const noexcept { return tracepoint_.get(); }
	int sample_program() const noexcept { return sample_.get(); }
	int ring() const noexcept { return ring_.get(); }

	s9_control &control() const noexcept { return slots_[0].control; }
	// NULL: no slot has that number.
	s9_async_slot *slot(std::uint32_t number) const noexcept;
	// The id that a slot has, in any phase; 0: none.
	stack9_id id_in(std::uint32_t slot) const noexcept;
	// The phase of id's slot; S9_FREE: the slot is not, or no longer, id's.
	s9_phase phase(slot_id) const noexcept;
	// Changes the phase as the programs do; false: it was another phase.
	bool change_phase(slot_id, s9_phase from, s9_phase to) const noexcept;

	// The bytes of a slot's i-th piece; empty: there is none.
	std::span<const char> piece(const s9_async_slot &, std::uint32_t i)
	    const noexcept;

	// Cancels the work of a slot that the caller owns, HELD.
	void cancel_work(std::uint32_t slot) const noexcept;
	// Frees the slot and its pieces.
	void free_slot(slot_id) const noexcept;

private:
	int load(std::uint32_t slots, std::uint32_t pieces) noexcept;
	int map_memory(int slots, int pieces) noexcept;

	s9_async_sizes	 sizes_{};
	unique_fd	 submit_, tracepoint_, sample_, works_, ring_;
	s9_async_slot	*slots_ = nullptr;
	char		*pieces_ = nullptr;
};

} // namespace stack9::bpf
