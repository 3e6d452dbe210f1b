// Captures victims through the library and through /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>


#include "core_calls.h"
#include "victim.h"

// name+0xoffset/0xsize of each line of /proc/TID/stack.
std::vector<std::string> proc_stack(pid_t tid);

// The same words for a record's frames, by stack9_name().
std::vector<std::string> named(const stack9::stack_record &rec);

// A record with a buffer of its own.
struct capture {
	uintptr_t	pcs[512];
	stack9::stack_record	rec{};

	explicit capture(std::uint32_t max = 512)
	{
		rec.pcs = pcs;
		rec.max = max;
	}
	int save(const stack9_thread &td, stack9_side side = STACK9_KERNEL)
	{
		return core::save(side, &td, &rec);
	}
	int save(pid_t tid)
	{
		return save(stack9_thread{tid, 0, 0});
	}
};

stack9_thread thread_of(pid_t tid);

// The tid that was given last.
pid_t newest_tid();

// The routes of a job that this machine can go, by their names.
std::vector<std::string> routes_of(const std::string &job);

// Restricts the library to one route while it lives.
struct forced {
	explicit forced(const std::string &route);
	~forced() { stack9_force(nullptr); }
};
