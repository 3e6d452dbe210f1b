// Remembers the files that a process has mapped.  There is one entry for each
// file at each base address, and the same file has the same number wherever it
// is mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/model/frame.h"

namespace tools {

struct module {
	std::string	path;		// with any bytes
	std::string	name;		// its last part, for a terminal; or ""
	std::string	build_id;	// in hex; "": not known
	std::uint64_t	base;		// of vaddr 0; 0: no ELF image
	bool		deleted;
	unsigned int	file;		// equal for equal files
};

class modules {
public:
	// NULL: nothing is mapped where the frame is.
	const module	*find(const void *process, const frame &,
			    std::uint64_t pc);

private:
	using list = std::vector<std::unique_ptr<module>>;

	const module	*add(list &, const frame &, std::uint64_t base);

	std::unordered_map<const void *, list>		of_;	// by process
	std::map<std::string, unsigned int>		files_;
};

// Gives the last part of a path.
std::string base_name(const std::string &path);
// Gives " (deleted)" if the file of the frame's code had no name any more.
const char *deleted_mark(const frame &);

} // namespace tools
