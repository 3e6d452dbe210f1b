// Lists the events that the kernel itself counts, by the names that perf has
// for them, and finds them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe.h"

namespace stack9::events {

struct event_text;

struct software_event {
	std::string_view name;
	std::uint64_t	config;		// PERF_COUNT_SW_*
	bool		clock;		// samples at a frequency
};

// All names.  The first name of a config is the one that labels take.
std::span<const software_event> software_events() noexcept;
// NULL: no software event has that name.
const software_event *software_event_of(std::string_view name) noexcept;

// True if the word alone is a software event, rather than a function's name.
bool is_software(std::string_view name) noexcept;
// True if perf has a hardware event of that name.
bool is_hardware(std::string_view name) noexcept;

// As find_probes().
int find_software(const event_text &, std::vector<probe> &, std::string &why);

} // namespace stack9::events
