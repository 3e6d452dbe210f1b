// Finds by the innermost frames of a user stack which function of the C library
// waits.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include <stack9.h>

#include "core/seam/kept_process.h"

namespace stack9::waits {

enum class lock_function : std::uint8_t {
	none, mutex, read, write, join, condition, semaphore, once, barrier,
	sleep, poll	// no locks, but they wait, too
};

class lock_functions {
public:
	// An address of code: its function, and where its mapping starts.
	struct known {
		lock_function	function = lock_function::none;
		std::uint64_t	mapping = 0;
	};

	// Reads code of a core from now on.
	void use(kept_process &p) noexcept { kept_ = &p; }

	// The user stack of a thread of the process.
	lock_function	of(const stack9_stack &, pid_t);

private:
	known		at(stack9_space *, std::uint64_t pc, bool exact);
	lock_function	called(stack9_space *, pid_t, std::uint64_t pc);

	using place = std::pair<stack9_space *, std::uint64_t>;
	kept_process		*kept_ = nullptr;
	std::map<place, known>	known_, known_calls_;
};

} // namespace stack9::waits
