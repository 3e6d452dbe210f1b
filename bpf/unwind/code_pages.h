// Writes the rows of pages of code for the programs to search.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>

#include "core/seam/space.h"

#include "layout.h"
#include "mapped_array.h"
#include "rule_budget.h"

namespace stack9::events {

class code_pages {
public:
	// pages, rows: the maps.  0; or an errno.
	int open(int pages, int rows, const rule_budget &) noexcept;
	void close() noexcept;
	bool is_open() const noexcept { return rows_.size() != 0; }

	// The number of the first page of a part of a file, in pages.  0: no
	// place is left for it.  Throws std::bad_alloc.
	std::uint32_t first_of(std::uint32_t file, std::uint64_t page,
	    std::uint64_t pages);

	bool
	knows(std::uint32_t page) const noexcept
	{
		return page < pages_.size() && pages_[page] != 0;
	}
	// The rule of a place in a page; 0: it is not known, or the code says
	// it: the programs then read it.  They may not know what it says.
	std::uint32_t find(std::uint32_t page, std::uint32_t place)
	    const noexcept;
	// True if the rows are all in use.
	bool is_full() const noexcept { return full_; }
	// Adds pages, from this one on.  runs: by their distances from its
	// first byte; the first has 0, and each distance is larger than the one
	// before it.  Pages that are known stay as they are.
	void add(std::uint32_t page, std::uint32_t pages,
	    std::span<const rule_run> runs) noexcept;

	std::uint64_t rows() const noexcept { return next_row_; }

private:
	bool add_page(std::uint32_t page, std::uint32_t begin,
	    std::span<const rule_run> runs, std::size_t first) noexcept;

	mapped_array<std::uint64_t> pages_;
	mapped_array<std::uint32_t> rows_;
	std::uint32_t	next_page_ = 1, next_row_ = 0;
	bool		full_ = false;
	std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>,
	    std::uint32_t> parts_;
};

// True if runs can be added.  Those of an answer may be another process's.
bool are_in_order(std::span<const rule_run>) noexcept;

// A rule as a slot or a row has it: one with more than fits there becomes one
// that says that it does not fit.
std::uint32_t short_rule(std::uint32_t bits) noexcept;

} // namespace stack9::events
