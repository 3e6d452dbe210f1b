// What is over and has not been told: ids in the order in which they came, and
// the descriptor that says whether there are any.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <bpf/libbpf.h>

#include "table.h"

namespace stack9::bpf {

struct ring_freer {
	void operator()(ring_buffer *r) const noexcept { ring_buffer__free(r); }
};

// Belongs to its user's lock.  The ring that the programs fill holds a record
// for each slot and for each that was released since it was last read: so it is
// read before that many are, and is never full.
class ready_list {
public:
	explicit ready_list(async_table &table) noexcept : table_(table) {}
	int open() noexcept;	// 0, or an errno
	int fd() const noexcept { return ring_buffer__epoll_fd(ring_.get()); }

	// What the programs have told meanwhile.
	void read_ring() noexcept;
	// id is over, and not by a program's doing.
	void add(stack9_id) noexcept;
	// id may not be given to anybody yet, and may now.
	void hold_back(slot_id) noexcept;
	void let_go(stack9_id) noexcept;
	// It is being released.
	void remove(slot_id) noexcept;

	// The first, which is taken out; 0: there is none.
	stack9_id pop() noexcept;
	std::uint64_t consume_dropped() noexcept;
	// When enough has been taken; the others see to it themselves: the
	// descriptor says what there is.
	void signal() noexcept;

private:
	struct link {
		std::uint32_t	next = 0, before = 0;	// 0: the list itself
		bool		listed = false;
		bool		held_back = false, came = false;
	};
	static int record(void *self, void *data, std::size_t size) noexcept;
	void note(stack9_id) noexcept;
	void add_unpublished() noexcept;
	void append(std::uint32_t slot) noexcept;
	void unlink(std::uint32_t slot) noexcept;

	async_table			&table_;
	std::unique_ptr<ring_buffer, ring_freer> ring_;
	std::vector<link>		links_;		// by slot
	std::vector<stack9_id>		ids_;		// likewise
	unique_fd			event_;
	bool				signalled_ = false;
	std::uint32_t			released_ = 0;	// since it was read
	std::uint64_t			dropped_ = 0;	// told so far
	bool				drop_came_ = false;	// and not told
};

} // namespace stack9::bpf
