// Concludes from a kernel stack what a thread does in the kernel.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <unordered_map>

#include <stack9.h>

namespace stack9::waits {

enum class kernel_function : std::uint8_t {
	none, userfault, swapped_page, file_page, poll_again, sleep_again,
	futex_again
};

class kernel_functions {
public:
	// most: how many frames are looked at, innermost first.
	kernel_function	of(const stack9_stack &, std::uint32_t most);

private:
	kernel_function	at(std::uint64_t pc);

	std::unordered_map<std::uint64_t, kernel_function> known_;
};

} // namespace stack9::waits
