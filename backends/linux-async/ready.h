// Lists the ids of finished captures that have not been delivered, in the order
// in which they came.  A descriptor is readable while there are any.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <bpf/libbpf.h>

#include "bpf/scoped.h"
#include "os/event_flag.h"
#include "slot_memory.h"

namespace stack9::bpf {

// The user's lock guards it.  The ring that the programs fill has space for a
// record of each slot, and for as many records of captures that were released.
// It is read before that many have been released, so it is never full.
class ready_list {
public:
	explicit ready_list(slot_memory &slots) noexcept : slots_(slots) {}
	int open(int ring) noexcept;	// 0, or an errno
	int fd() const noexcept { return ring_buffer__epoll_fd(ring_.get()); }

	// Reads the records that the programs have written meanwhile.
	void read_ring() noexcept;
	// Adds an id that is over although no program published it.
	void add(stack9_id) noexcept;
	// Holds an id back, and lets it go: only then may it be delivered.
	void hold_back(slot_id) noexcept;
	void let_go(stack9_id) noexcept;
	// Removes an id that is being released.
	void remove(slot_id) noexcept;

	// Removes and returns the first id; 0: there is none.
	stack9_id pop() noexcept;
	std::uint64_t consume_dropped() noexcept;
	// Makes the descriptor say whether there are ids.  Called after pop()
	// and consume_dropped(); the other functions call it themselves.
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

	slot_memory			&slots_;
	std::unique_ptr<ring_buffer, ring_freer> ring_;
	std::vector<link>		links_;		// by slot
	std::vector<stack9_id>		ids_;		// likewise
	event_flag			event_;
	bool				signalled_ = false;
	std::uint32_t			released_ = 0;	// since it was read
	std::uint64_t			dropped_ = 0;	// delivered so far
	bool				drop_came_ = false;	// not delivered
};

} // namespace stack9::bpf
