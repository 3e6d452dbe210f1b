// Teaches the programs to walk user stacks: after a stack had to be copied and
// was unwound, the rules of its frames, and what its process has mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "core/seam/record.h"
#include "os/process_memory.h"
#include "process/space.h"

#include "code_list.h"
#include "code_pages.h"
#include "met_pages.h"
#include "rule_slots.h"

namespace stack9::events {

class teacher {
public:
	// The programs' name of an address space: struct s9_space.
	using space_key = std::array<std::uint64_t, 2>;

	// The descriptors of the maps.
	struct maps {
		int	rules, more_rules, pages, rows, mapped;
	};

	// 0; or an errno, and nothing is taught.
	int open(const maps &, const rule_room &) noexcept;
	// For a child, which must not teach its parent's programs.
	void
	abandon() noexcept
	{
		slots_.close();
		pages_.close();
	}

	// Learns from a stack that was copied then because a walk ended so.
	// number: what the programs are to say of stacks that they walk in this
	// space, 1 or more.  Throws std::bad_alloc.
	void learn(const space_key &, std::uint32_t number, stack9_space &,
	    const stack_record &, s9_walk_end, std::uint64_t when_ns);

	// The number that the programs say of such a stack, which was copied
	// when the list with that number was true; 0: it is not known.
	std::uint32_t number_of(const space_key &, std::uint32_t list,
	    const stack_record &) const noexcept;

	const rule_slots &slots() const noexcept { return slots_; }

private:
	// The code of a process that the programs were told.
	struct told {
		space_key	key{};
		code_list	code;
		process_memory	memory;		// open while it is learned
		std::uint64_t	snapshot = 0;	// of the space
		std::uint32_t	number = 0, previous = 0;
		std::uint64_t	when_ns = 0;	// they were told
		bool		lacks = false;	// the kernel had no memory
		unsigned int	stale = 0, skipped = 0;
	};

	told	&list_of(const space_key &, std::uint32_t number,
		    stack9_space &, s9_walk_end, std::uint64_t when_ns);
	void	tell(const space_key &, told &);
	void	keep_answers(const space_key &);
	void	forget_oldest();
	bool	knows(const told &, const stack_record &) const noexcept;
	std::uint32_t rule_of(const told &, std::uintptr_t pc, bool exact,
		    std::uint64_t &key) const noexcept;
	bool	made_key(const told &, std::uintptr_t pc, bool exact,
		    std::uint64_t &key) const noexcept;
	void	teach(const told &, stack9_space &, const stack_record &);

	rule_slots	slots_;
	code_pages	pages_;
	met_pages	met_;
	int		mapped_ = -1;
	file_numbers	files_;
	std::map<space_key, told> told_;
	std::deque<space_key> order_;
	std::unique_ptr<s9_mapped> message_, before_;
	std::vector<std::uint32_t> rules_;
	std::vector<std::uint64_t> keys_;
	std::uint64_t	serial_ = 0;	// of the last list
};

} // namespace stack9::events
