// Sorts the text of /proc/kallsyms into a table.  It knows no file.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/seam/record.h"

namespace stack9 {

class kallsyms_table {
	struct entry {
		std::uint64_t	start;
		std::uint32_t	name;	// in names
		std::uint16_t	owner;	// in owners; 0: the kernel itself
	};
	// The range in which the kernel looks up its own symbols: from _stext
	// to _end if it lists data (CONFIG_KALLSYMS_ALL), and its two text
	// sections if not.
	struct sections {
		std::uint64_t stext = 0, etext = 0, end = 0;
		std::uint64_t sinittext = 0, einittext = 0;
	};
	std::vector<entry>	 entries;	// by start, no two the same
	std::string		 names;		// each ended by NUL
	std::vector<std::string> owners{""};	// "ext4", "bpf"
	std::uint16_t		 last_owner = 0;
	sections		 core;
	bool			 zeros = false, others = false;

	void add_line(std::string_view line);
	void add_symbol(std::uint64_t, std::string_view name,
	    std::string_view owner);
	std::uint16_t find_owner(std::string_view name);
	void note_section(std::uint64_t, std::string_view name) noexcept;
	bool in_core(std::uint64_t) const noexcept;
	std::uint64_t size_of(const entry &) const noexcept;

public:
	// Adds the whole lines of text and returns their length.  A malformed
	// line is skipped.  May throw std::bad_alloc, std::length_error.
	std::size_t add(std::string_view text);
	void finish();

	// True if lines came and all their addresses were 0: kptr_restrict
	// hides them.
	bool hidden() const noexcept { return zeros && !others; }

	// Answers as %pS does and, with return_address, as %pB.  0 or ENOENT,
	// sym untouched.  To be called after finish(); async-signal-safe.
	int find(std::uintptr_t pc, bool return_address, symbol_name &)
	    const noexcept;

	std::size_t size() const noexcept { return entries.size(); }
	std::size_t memory() const noexcept;
};

} // namespace stack9
