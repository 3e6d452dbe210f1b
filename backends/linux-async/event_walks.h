// Has events walk user stacks by published rules: owns the programs that do,
// and publishes the rules that collected copies needed.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <mutex>

#include "bpf/unwind/rule_publisher.h"

#include "table.h"

struct bpf_object;

namespace stack9::bpf {

// Thread-safe.
class event_walks {
public:
	enum kind { at_tracepoint, at_sample };

	// Gives the program for events of a kind: one that walks or, if none
	// can be loaded, that of the table: it copies.  It loads a program
	// once; a program shares the maps of the table.
	int program(kind, const async_table &) noexcept;

	// Publishes the rules that an unwound copy needed.  seen is its slot's
	// head.  If another thread publishes, nothing is published.
	void publish(const s9_async_head &seen, const stack_record &) noexcept;

private:
	static constexpr std::size_t kinds = 2, map_count = 7;

	int	load(kind, const async_table &, bool plain) noexcept;
	int	share_maps(bpf_object *, const async_table &) const noexcept;
	int	keep_maps(bpf_object *) noexcept;

	std::mutex		mutex_;		// guards all
	bool			tried_[kinds] = {};
	unique_fd		programs_[kinds];
	// As they are named in the source; of the first program.
	std::array<unique_fd, map_count> maps_;
	events::rule_publisher		publisher_;
};

} // namespace stack9::bpf
