// Says in which variable, or in what memory, a lock lies.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <stack9.h>

namespace stack9::waits {

class places {
public:
	// "" if nothing is known.  Many threads wait for the same lock.
	const std::string &of(stack9_space *, std::uint64_t address);
	// The same of a lock of the kernel, if that lies in a variable.
	const std::string &of_kernel(std::uint64_t address);

private:
	struct variable {
		std::uint64_t	end;
		std::string	name;
		std::string	file;
	};
	using key = std::pair<stack9_space *, std::uint64_t>;

	const variable	*find_variable(stack9_space *, std::uint64_t address,
			    std::uint64_t &start);

	std::map<key, std::string> known_;
	// By their starts: an array has many locks.
	std::map<key, variable> variables_;
	std::map<std::uint64_t, std::string> kernel_;
};

} // namespace stack9::waits
