// The slots of asynchronous captures and their memory, as the process sees
// them: what is loaded, mapped, taken and given back.
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

// An id, taken apart.
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
	// first_gen: ids of other tables are below it.  0, or an errno, also
	// where it should be asked again; then nothing is open.
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
	// That which a slot has, whatever its phase; 0: none.
	stack9_id id_in(std::uint32_t slot) const noexcept;
	// The phase of id's slot; S9_FREE: it is not id's, or no longer.
	s9_phase phase(slot_id) const noexcept;
	// As the programs do; false: it has come to be otherwise.
	bool change_phase(slot_id, s9_phase from, s9_phase to) const noexcept;

	// size bytes at most of a slot's i-th piece; empty: there is none.
	std::span<const char> piece(const s9_async_slot &, std::uint32_t i)
	    const noexcept;

	// Of a slot that is the caller's, HELD: its work, wherever it is.
	void cancel_work(std::uint32_t slot) const noexcept;
	// The slot with its pieces; nobody's then.
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
