// Parses the text of a perf map, in which a JIT describes the code that it made
// by a line for each function: "START SIZE name".  Declares the search in the
// perf maps of all processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/seam/record.h"

namespace stack9 {

class perf_map {
public:
	struct entry {
		std::uint64_t	start;
		std::uint64_t	size;		// never 0
		std::uint32_t	name, length;	// in the text
	};

	perf_map() = default;
	// Skips malformed lines.  A later line replaces earlier ones where they
	// overlap, because the memory was used again.  Throws std::bad_alloc.
	explicit perf_map(std::string text);

	// The entry that covers the address, or NULL.
	const entry *find(std::uint64_t pc) const noexcept;
	// Copies as much of the name as fits: whole characters of UTF-8, and no
	// control characters.
	void name(const entry &, char *text, std::size_t size) const noexcept;
	std::size_t size() const noexcept { return entries_.size(); }
	// Returns true if the text had more lines than the budget.
	bool is_cut() const noexcept { return cut_; }
	std::size_t
	memory() const noexcept
	{
		return text_.capacity() + entries_.capacity() * sizeof(entry) +
		    parts_.capacity() * sizeof(part);
	}

private:
	// A range of addresses and the entry that it belongs to.
	struct part {
		std::uint64_t	start, end;
		std::uint32_t	entry;
	};

	void read_line(std::string_view);
	void settle();

	std::string		text_;
	std::vector<entry>	entries_;	// as they came
	std::vector<part>	parts_;		// by start, disjoint
	bool			cut_ = false;
};

// Finds a function that a JIT of the thread's process made.  0; ENOENT.  An
// address is looked for again at most once a second.  Thread-safe; throws
// std::bad_alloc.
int perf_find(const stack9_thread &, std::uintptr_t pc, bool return_address,
    symbol_name &);

} // namespace stack9
