// Lists the software events of perf, and the hardware events that it has beside
// them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "software_events.h"

#include <algorithm>
#include <iterator>

#include <linux/perf_event.h>

namespace stack9::events {
namespace {

constexpr software_event known_events[] = {
	{"cpu-clock", PERF_COUNT_SW_CPU_CLOCK, true},
	{"cpu", PERF_COUNT_SW_CPU_CLOCK, true},
	{"task-clock", PERF_COUNT_SW_TASK_CLOCK, true},
	{"page-faults", PERF_COUNT_SW_PAGE_FAULTS, false},
	{"faults", PERF_COUNT_SW_PAGE_FAULTS, false},
	{"minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN, false},
	{"major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ, false},
	{"context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES, false},
	{"cs", PERF_COUNT_SW_CONTEXT_SWITCHES, false},
	{"cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS, false},
	{"migrations", PERF_COUNT_SW_CPU_MIGRATIONS, false},
	{"alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS, false},
	{"emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS, false},
};

constexpr std::string_view hardware[] = {"cycles", "cpu-cycles",
    "instructions", "cache-references", "cache-misses", "branches",
    "branch-instructions", "branch-misses", "bus-cycles", "ref-cycles"};

} // namespace

std::span<const software_event>
software_events() noexcept
{
	return known_events;
}

const software_event *
software_event_of(std::string_view name) noexcept
{
	const software_event *const e = std::find_if(
	    std::begin(known_events), std::end(known_events),
	    [&](const software_event &x) { return x.name == name; });
	return e == std::end(known_events) ? nullptr : e;
}

bool
is_software(std::string_view name) noexcept
{
	return software_event_of(name) != nullptr && name != "cpu";
}

bool
is_hardware(std::string_view name) noexcept
{
	return std::find(std::begin(hardware), std::end(hardware), name) !=
	    std::end(hardware);
}

} // namespace stack9::events
