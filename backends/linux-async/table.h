// Loads the programs of asynchronous captures, and owns their maps and the
// memory of their slots and pieces.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "slot_memory.h"
#include "bpf/object.h"

namespace stack9::bpf {

struct async_limits {
	std::uint32_t	captures = 1024;
	std::size_t	bytes = 4 << 20;	// for pieces
};

class async_table : public slot_memory {
public:
	// first_gen: the ids of other tables are below it.  0, or an errno, and
	// then nothing is open.  After EAGAIN another try may succeed.
	int open(const async_limits &, std::uint64_t first_gen) noexcept;
	async_table() noexcept = default;
	async_table(const async_table &) = delete;
	async_table &operator=(const async_table &) = delete;
	~async_table();

	int submit_program() const noexcept { return submit_.get(); }
	int tracepoint_program() const noexcept { return tracepoint_.get(); }
	int sample_program() const noexcept { return sample_.get(); }
	int ring() const noexcept { return ring_.get(); }
	int works() const noexcept { return works_.get(); }
	int slot_map() const noexcept { return slot_map_.get(); }
	int piece_map() const noexcept { return piece_map_.get(); }

	// Cancels the work of a slot that the caller owns, HELD.
	void cancel_work(std::uint32_t slot) const noexcept;

private:
	// Elements of the maps; of the ring: bytes.
	struct sizes {
		std::uint32_t	slots, pieces, ring;
	};
	int load(const sizes &, bool plain) noexcept;
	int map_memory() noexcept;

	sizes		sizes_{};
	unique_fd	submit_, tracepoint_, sample_, works_, ring_;
	unique_fd	slot_map_, piece_map_;	// for other objects
};

} // namespace stack9::bpf
