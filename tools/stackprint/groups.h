// Groups equal stacks: each stack is printed once with its threads, the most
// frequent stack first.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ours.h"
#include "printer.h"
#include "tools/lib/names.h"
#include "tools/lib/samples.h"

namespace stackprint {

struct group {
	sample_ptr		sample;	// the first member's
	std::vector<thread_facts> members;
};

class groups {
public:
	// Stacks are equal if each frame is.  Frames of the kernel are equal if
	// they have the same address.  Frames of user space are equal if they
	// have the same place in the same file, so that processes of one
	// program are grouped wherever it was loaded.  The missing parts, and
	// the reasons for them, have to be equal, too.
	void add(const sample_ptr &, names &);

	// By their size; that of the thread `first` comes first.
	std::vector<group *> by_count(pid_t first = 0);

	// The whole identity of a sample's stacks: two different ones are never
	// mixed up.
	static std::string identity(const sample &, names &);

private:
	std::deque<group>				all_;
	// By identity().
	std::unordered_map<std::string, group *>	by_key_;
};

// The frame's identity: two numbers that only equal frames share.  The stack
// has addresses.
std::pair<std::uint64_t, std::uint64_t> frame_identity(const stack &,
    std::uint32_t, names &);

// Prints the threads of a group in few lines, such as 4711-5710 for a thousand
// in a row.  few: three lines at most, and "..." for the rest.
void put_tids(fmt::memory_buffer &, const std::vector<thread_facts> &,
    bool few);
// Prints other numbers so; first: the margin of the first line.
void put_ids(fmt::memory_buffer &, std::string_view first,
    const std::vector<std::uint64_t> &, bool few);

} // namespace stackprint
