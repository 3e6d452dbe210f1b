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

private:
	std::map<std::pair<stack9_space *, std::uint64_t>, std::string> known_;
};

} // namespace stack9::waits
