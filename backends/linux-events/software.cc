// Clocks sample at a frequency, the others at each of so many.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "software.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string_view>

#include <linux/perf_event.h>

#include "event_text.h"
#include "near_names.h"

namespace stack9::events {
namespace {

constexpr std::uint64_t usual_hz = 99;	// no multiple of what timers do
constexpr std::uint64_t most_hz = 100000;

// The first of those that are the same is the label's.
struct known {
	std::string_view name;
	std::uint64_t	config;
	bool		clock;
};

constexpr known all[] = {
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

const known *
find(std::string_view name) noexcept
{
	const known *const k = std::find_if(std::begin(all), std::end(all),
	    [&](const known &x) { return x.name == name; });
	return k == std::end(all) ? nullptr : k;
}

std::string_view
canonical(std::uint64_t config) noexcept
{
	return std::find_if(std::begin(all), std::end(all),
	    [&](const known &x) { return x.config == config; })->name;
}

int
no_number(const event_text &e, bool clock, std::string &why)
{
	why = e.value + " is not " + (clock ?
	    "a frequency from 1 to " + std::to_string(most_hz) + " Hz, as in " :
	    std::string("a number of events, as in ")) +
	    std::string(e.name) + (clock ? ":99" : ":100");
	return EINVAL;
}

int
unknown(const event_text &e, std::string &why)
{
	near_names near(e.name);
	for (const known &k : all)
		near.offer(k.name);
	why = "no software event is called " + e.name + near.question("");
	if (is_hardware(e.name))
		why = e.name + " is counted by hardware, which is not watched "
		    "here: cpu-clock:HZ samples what runs";
	return ENOENT;
}

} // namespace

bool
is_software(const std::string &name) noexcept
{
	return find(name) != nullptr && name != "cpu";
}

bool
is_hardware(const std::string &name) noexcept
{
	return std::find(std::begin(hardware), std::end(hardware), name) !=
	    std::end(hardware);
}

int
find_software(const event_text &e, std::vector<point> &points, std::string &why)
{
	const known *const k = find(e.name);
	if (k == nullptr)
		return unknown(e, why);
	point p;
	p.kind = point_kind::software;
	p.config = k->config;
	p.frequency = k->clock && e.unit_ns == 0;
	p.period = k->clock ? usual_hz : 1;
	if (!e.value.empty() && (!to_number(e.value, p.period) ||
	    p.period == 0 || (p.frequency && p.period > most_hz)))
		return no_number(e, k->clock, why);
	p.label = canonical(p.config);
	if (e.unit_ns != 0) {
		if (p.period > UINT64_MAX / 2 / e.unit_ns)
			return no_number(e, k->clock, why);
		p.label = "profile:" + std::string(e.unit_ns == 1000 ? "us" :
		    e.unit_ns == 1000000 ? "ms" : "s") + ":" + e.value;
		p.period *= e.unit_ns;
	} else if (k->clock || p.period != 1)
		p.label += ":" + std::to_string(p.period);
	p.name = p.label;
	points.push_back(std::move(p));
	return 0;
}

} // namespace stack9::events
