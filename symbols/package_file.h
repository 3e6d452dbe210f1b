// Declares a package of .dwo files, a .dwp file, out of which the .dwo file of
// a unit is taken.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "budgets/kept.h"

#include "opened_elf.h"

namespace stack9 {

class package_file {
public:
	// The package may have this name, that of an open file and an ending.
	// That name has to lead to the same file here.  Throws std::bad_alloc.
	void look_beside(std::string path, int fd, const char *ending);
	// Writes the unit's .dwo file into memory.  No file: there is none, or
	// it is beyond its budget; that is counted.  Throws std::bad_alloc.
	unique_fd unit(std::uint64_t id, budgets::share &);

private:
	// The columns of the index that are of use, in the order of parts.
	static constexpr std::size_t parts = 7;
	struct place {
		std::string	beside;
		int		fd;
		std::string	path;
	};
	struct part {
		std::uint64_t	offset = 0, size = 0;
	};
	using row = std::array<part, parts>;

	void open(budgets::share &);
	bool use(opened_elf, budgets::share &);
	bool find_row(std::uint64_t id, std::uint32_t &number) const;
	bool find_parts(std::uint32_t number, row &) const;
	bool copy(std::size_t which, const part &, std::vector<char> &) const;
	bool copy_strings(std::vector<char> &offsets, std::string &) const;

	std::vector<place>	places_;
	bool			sought_ = false;
	opened_elf		file_;
	bytes			index_{-1, 0, 0};
	std::array<bytes, parts> sections_{};
	bytes			strings_{-1, 0, 0};
	std::uint32_t		version_ = 0, columns_ = 0, units_ = 0,
				slots_ = 0;
};

// Returns true if a name leads to that open file, here where the caller is.
bool is_here(const std::string &path, int fd) noexcept;

} // namespace stack9
