// Makes the rows of --top: groups of threads with equal stacks, the threads of
// a group, one thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "groups.h"
#include "printer.h"
#include "tracker.h"

namespace stackprint {

// ran: the groups come first in which most threads ran since the last pass.
enum class top_order { ran, count, time, name };
inline constexpr int top_orders = 4;

struct top_row {
	std::string	text;		// as wide as it is
	std::string	identity;	// of a group: its stacks
	pid_t		tid = 0;	// of a thread
};

// The line above the rows of groups and the one above those of threads.
std::string group_heading(int columns);
std::string thread_heading();

// Only groups that have this text in a frame or in a name.
std::vector<top_row> group_rows(groups &, const tracker &, const view &,
    top_order, const std::string &search, int columns);

// The stack of a group and its threads; none if no group has this identity.
std::vector<top_row> thread_rows(groups &, const tracker &, const view &,
    top_order, const std::string &identity);

// Each line of a text.
std::vector<top_row> text_rows(const std::string &text);

} // namespace stackprint
