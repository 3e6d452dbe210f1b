// Publishes unwind rules for the programs that walk user stacks.  After a stack
// was copied and unwound, the programs get the rules of its frames and the
// mappings of its process.
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
#include "rule_slots.h"
#include "seen_pages.h"

namespace stack9::events {

class rule_publisher {
public:
	// The programs' name of an address space: struct s9_space.
	using space_key = std::array<std::uint64_t, 2>;

	// The descriptors of the maps.
	struct maps {
		int	rules, more_rules, pages, rows, mapped;
	};

	// 0; or an errno, and nothing is published.
	int open(const maps &, const rule_budget &) noexcept;
	// For a child: it must not publish to its parent's programs.
	void
	abandon() noexcept
	{
		slots_.close();
		pages_.close();
	}

	// Publishes the rules of a stack that was copied because a walk ended
	// so.  number: what the programs are to say of stacks that they
	// walk in this space, 1 or more.  Throws std::bad_alloc.
	void publish(const space_key &, std::uint32_t number, stack9_space &,
	    const stack_record &, s9_walk_end, std::uint64_t when_ns);

	// The number that the programs say of such a stack, if it was copied
	// when the list with that number was true; 0: it is not known.
	std::uint32_t number_of(const space_key &, std::uint32_t list,
	    const stack_record &) const noexcept;

	const rule_slots &slots() const noexcept { return slots_; }

private:
	// The code of a process whose list the programs have.
	struct published {
		space_key	key{};
		code_list	code;
		process_memory	memory;		// open while its rules are read
		std::uint64_t	snapshot = 0;	// of the space
		std::uint32_t	number = 0, previous = 0;
		std::uint64_t	when_ns = 0;	// it was published
		bool		lacks = false;	// the kernel had no memory
		unsigned int	stale = 0, skipped = 0;
	};

	published &list_of(const space_key &, std::uint32_t number,
		    stack9_space &, s9_walk_end, std::uint64_t when_ns);
	void	publish_list(const space_key &, published &);
	void	keep_answers(const space_key &);
	void	forget_oldest();
	bool	knows(const published &, const stack_record &) const noexcept;
	std::uint32_t rule_of(const published &, std::uintptr_t pc, bool exact,
		    std::uint64_t &key) const noexcept;
	bool	jit_key(const published &, std::uintptr_t pc, bool exact,
		    std::uint64_t &key) const noexcept;
	void	publish_stack(const published &, stack9_space &,
		    const stack_record &);

	rule_slots	slots_;
	code_pages	pages_;
	seen_pages	seen_;
	int		mapped_ = -1;
	file_numbers	files_;
	std::map<space_key, published> published_;
	std::deque<space_key> order_;
	std::unique_ptr<s9_mapped> message_, before_;
	std::vector<std::uint32_t> rules_;
	std::vector<std::uint64_t> keys_;
	std::uint64_t	serial_ = 0;	// of the last list
};

} // namespace stack9::events
