// Declares the rules that events' programs walk by, as this process publishes
// them: out of the stacks that the programs could only copy.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "bpf/unwind/rule_publisher.h"

#include "backends/linux-events/programs/programs.h"
#include "backends/linux-events/programs/settings.h"
#include "event_line.h"
#include "processes.h"

namespace stack9::events {

// The flags of a user side that a program has walked, with this user_error.
std::uint32_t flags_of_walk(__s16 user_error) noexcept;

class walk_rules {
public:
	explicit walk_rules(processes &whose) : processes_(whose) {}

	// 0, or an errno of rule_publisher::open().
	int open(programs &, const settings &);
	void abandon() noexcept { publisher_.abandon(); }

	// Publishes the rules of a copied stack.  Throws std::bad_alloc.
	void publish(waiting_event &);
	// The user side of a copy, in the space that it has if it is walked:
	// both are one stack, although its process has mapped other code
	// between them.
	stack_record as_walked(waiting_event &) const;
	// Compares a copy with what a program has walked of the same stack.
	void compare(waiting_event &);

	std::uint64_t differing() const noexcept { return differing_; }
	bool lacks_witness() const noexcept { return lacks_witness_; }
	const rule_slots &slots() const noexcept { return publisher_.slots(); }

private:
	processes		&processes_;
	rule_publisher		publisher_;
	std::vector<std::uintptr_t> beyond_;	// frames after a copy's
	std::uint64_t		differing_ = 0;	// walks from copies
	bool			lacks_witness_ = false;	// of the mappings
};

} // namespace stack9::events
