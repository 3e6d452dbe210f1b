// Declares how reports of crashes are named after the fact.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <stack9.h>

namespace stackreport {

using line_fn = std::function<void(std::string_view)>;

// Calls fn for each line of a text, without its newline.
void each_line(std::string_view text, const line_fn &fn);

// Names the addresses of one report of stack9_crash(3) by the modules that its
// last lines list.
class crash_report {
public:
	// flags: of stack9_frame_at().
	crash_report(std::string_view text, stack9_space &files,
	    unsigned int flags);

	// Gives the report with a name and a line for each frame.  Throws
	// std::bad_alloc.
	std::string named() const;

private:
	struct code {
		std::uint64_t	start, end, vaddr;
		std::string	build_id, path;
	};

	void read_module(std::string_view line);
	bool place(std::uint64_t pc, std::uint64_t &at) const;
	std::string named_frame(std::string_view line, bool &exact) const;

	const std::string_view	text_;
	stack9_space		&files_;
	const unsigned int	flags_;
	std::vector<code>	modules_;
};

// The paths that files had, as a report or a text of stacks has them.
std::vector<std::string> paths_of(std::string_view text);

} // namespace stackreport
