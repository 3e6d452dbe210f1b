// Parses one event's text by the grammar of stackcount(1).  Whether the things
// that it names exist is not checked here.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "probe.h"

namespace stack9::events {

struct event_text {
	probe_kind	kind = probe_kind::kernel;
	std::string	category;	// of a tracepoint, or ""
	std::string	path;		// FILE; "": the process's program
	std::string	provider;	// of a probe, or ""
	std::string	name;
	std::uint64_t	offset = 0;
	bool		returns = false;
	bool		as_perf = false;	// CATEGORY:NAME, no prefix
	std::string	value;		// software: HZ or EVERY, or ""
	std::uint64_t	unit_ns = 0;	// the unit of value; 0: Hz
};

// Splits at the commas that are in no brackets and have no \ before them.
std::vector<std::string> split_events(const std::string &);

// 0, or EINVAL.
int parse_event(const std::string &, bool regex, event_text &,
    std::string &why);

// Reads decimal or 0x...; false: some of it is not a number.
bool to_number(std::string_view, std::uint64_t &) noexcept;
std::string to_hex(std::uint64_t);

} // namespace stack9::events
