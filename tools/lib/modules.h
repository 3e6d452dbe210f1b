// What the addresses of a process lie in: one entry for a file at a place, and
// the same number for the same file wherever it is mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <stack9.h>

namespace stackprint {

struct module {
	std::string	path;		// as it came
	std::string	name;		// its last part, for a terminal; or ""
	std::string	build_id;	// in hex; "" not known
	std::uintptr_t	base;		// of vaddr 0; 0: it is no ELF image
	bool		deleted;
	unsigned int	file;		// equal for equal files
};

class modules {
public:
	// NULL: nothing was mapped there.  vaddr: of pc; 0: none.
	const module	*find(stack9_space *, std::uintptr_t pc,
			    std::uint64_t &vaddr);

private:
	using list = std::vector<std::unique_ptr<module>>;

	const module	*add(list &, const stack9_module &, std::uintptr_t);

	std::unordered_map<const stack9_space *, list>	of_;
	std::map<std::string, unsigned int>		files_;
};

// The last part of a path.
std::string base_name(const std::string &path);

} // namespace stackprint
