// Says that this system has no timer that poll(2) can wait for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>

namespace stack9 {

class timer {
public:
	int open() noexcept { return EOPNOTSUPP; }
	int get() const noexcept { return -1; }
	void set(long, long) const noexcept {}
	void take() const noexcept {}
};

} // namespace stack9
