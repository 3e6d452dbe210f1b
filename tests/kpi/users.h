// Defines scripted threads of another process, and what is to be found of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <stack9.h>

#include "fake_backend.h"

constexpr pid_t other = 1 << 22;	// a pid that nobody has
constexpr stack9_thread thread{10, other, 77};

using words = std::vector<std::uintptr_t>;
using names = std::vector<std::string>;

inline const words kernel_pcs{0xffffffff81000001, 0xffffffff81000002};
inline const words user_pcs{0x401000, 0x402000, 0x403000};

struct two_threads : fake::fresh {
	two_threads()
	{
		using fake::now, fake::mode;
		now.users[10] = {77, other, mode::sleeping, user_pcs};
		now.users[11] = {78, other, mode::sleeping, user_pcs};
		now.threads[10] = {77, mode::sleeping, kernel_pcs};
		now.threads[11] = {78, mode::sleeping, {kernel_pcs[0]}};
	}
};
