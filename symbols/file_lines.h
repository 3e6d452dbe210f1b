// Keeps the source lines of one file for all processes that have it mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "process/file.h"

#include "dwarf_unit.h"
#include "dwarf_units.h"
#include "opened_dwarf.h"

namespace stack9 {

// Shared, because the cache may drop it while another thread reads it.
using source_levels = std::shared_ptr<const std::vector<source_level>>;

class file_lines final : public process::attachment {
public:
	// Takes the file's lock; throws std::bad_alloc.
	static file_lines &of(process::file &);

	// Empty: nothing is known.  The texts live as long as the file.
	// Thread-safe; throws std::bad_alloc.
	source_levels find(std::uint64_t vaddr, bool fetch);
	bool leave_in_child() noexcept override;

private:
	explicit file_lines(process::file &f) noexcept : file_(f) {}
	void open(bool fetch);
	source_levels look(std::uint64_t vaddr);
	void look_in_units(std::uint64_t vaddr, std::vector<source_level> &);
	bool ask_languages(std::uint64_t vaddr, source_level &);

	process::file	&file_;
	std::mutex	lock_;		// of all below
	bool		opened_ = false, fetched_ = false;
	opened_dwarf	dwarf_;
	debug_work	work_;
	std::unique_ptr<dwarf_units> units_;
	std::map<Dwarf_Off, dwarf_unit> read_;		// units
	std::unordered_map<std::uint64_t, source_levels> seen_;
	std::size_t	levels_ = 0;	// in seen_
	std::unordered_set<std::string> language_texts_;
};

} // namespace stack9
