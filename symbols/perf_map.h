// The text of a perf map: what a JIT says of the code that it made, a line a
// function, "START SIZE name".  Knows no file.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stack9 {

class perf_map {
public:
	struct entry {
		std::uint64_t	start;
		std::uint64_t	size;		// never 0
		std::uint32_t	name, length;	// in the text
	};

	perf_map() = default;
	// Lines that are none are skipped.  What a later line covers is no
	// longer what an earlier one said: the memory was used again.  Throws
	// std::bad_alloc.
	explicit perf_map(std::string text);

	// What covers the address, or NULL.
	const entry *find(std::uint64_t pc) const noexcept;
	// What is left of the name that fits: whole characters of UTF-8, and
	// no control characters.
	void name(const entry &, char *text, std::size_t size) const noexcept;
	std::size_t size() const noexcept { return entries_.size(); }

private:
	// A stretch of addresses and whose it is.
	struct part {
		std::uint64_t	start, end;
		std::uint32_t	entry;
	};

	void read_line(std::string_view);
	void settle();

	std::string		text_;
	std::vector<entry>	entries_;	// as they came
	std::vector<part>	parts_;		// by start, disjoint
};

} // namespace stack9
