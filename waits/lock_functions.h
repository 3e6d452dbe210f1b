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
	// The user stack of a thread of the process.
	lock_function	of(const stack9_stack &, pid_t);

private:
	lock_function	at(stack9_space *, std::uint64_t pc, bool exact);
	lock_function	called(stack9_space *, pid_t, std::uint64_t pc);

	using place = std::pair<stack9_space *, std::uint64_t>;
	std::map<place, lock_function>	known_, known_calls_;
};

} // namespace stack9::waits
