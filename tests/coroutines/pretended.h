// Has a process pretend to be a Go program.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "go_program.h"
#include "lib/process.h"

// The pretended runtime.allgs: in this program's .bss.
struct slice {
	std::uint64_t	*at;
	std::uint64_t	count, capacity;
};
inline slice pretended;

// The pretended runtime.waitReasonStrings: in its .data.
struct text {
	const char	*at;
	std::uint64_t	size;
};
inline text words[] = {{"", 0}, {"GC assist marking", 17}, {"IO wait", 7},
    {"\033[2J", 4}};

// As goroutine.h has it.
struct record {
	std::uint64_t	low, high, guards[4], m, sp, pc, self, rest[8];
	std::uint32_t	status, lock;
	std::uint64_t	id, more[40];
};
static_assert(offsetof(record, self) == 72 && offsetof(record, status) == 144 &&
    offsetof(record, id) == 152);

inline void *
make(std::size_t size)
{
	return mmap(nullptr, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

inline void
fill(record &g, std::uint64_t id)
{
	g.self = reinterpret_cast<std::uint64_t>(&g);
	g.status = 4;
	g.more[2] = 3;	// by words
	g.id = id;
	g.pc = reinterpret_cast<std::uint64_t>(&fill);
}

inline void
give_stack(record &g, std::uint64_t size)
{
	g.low = g.sp = reinterpret_cast<std::uint64_t>(make(size));
	g.high = g.low + size;
}

// Makes a list of so many goroutines that are still to be made.
inline void
pretend(std::uint64_t count)
{
	asm volatile("" : : "r"(words) : "memory");
	pretended.at = static_cast<std::uint64_t *>(make(count * 8));
	pretended.count = pretended.capacity = count;
}
