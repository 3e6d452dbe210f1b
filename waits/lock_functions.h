// Tells by the innermost frames of a user stack which function of the C library
// waits.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include <stack9.h>

namespace stack9::waits {

enum class lock_function : std::uint8_t {
	none, mutex, read, write, join, condition, semaphore, once, barrier
};

class lock_functions {
public:
	lock_function	of(const stack9_stack &);

private:
	lock_function	at(stack9_space *, std::uint64_t pc, bool exact);

	std::map<std::pair<stack9_space *, std::uint64_t>, lock_function>
	    known_;
};

} // namespace stack9::waits
