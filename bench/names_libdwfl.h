// Declares libdwfl's answer for an address: its line and the calls inlined
// there, as eu-addr2line -i finds them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <elfutils/libdwfl.h>
#include <sys/types.h>

class libdwfl_view {
public:
	libdwfl_view() = default;
	libdwfl_view(const libdwfl_view &) = delete;
	~libdwfl_view() { dwfl_end(dwfl_); }

	// False: cannot.
	bool open(pid_t);
	// NULL: none.
	const char *name(std::uintptr_t pc);
	// The line of the outermost function; 0: none.
	unsigned lines(std::uintptr_t pc);

private:
	Dwfl	*dwfl_ = nullptr;
};
