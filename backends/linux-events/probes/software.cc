// Finds software events.  Clocks sample at a frequency; the others are sampled
// once in so many events.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "software_events.h"

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "event_text.h"
#include "near_names.h"

namespace stack9::events {
namespace {

constexpr std::uint64_t usual_hz = 99;	// no multiple of what timers do
constexpr std::uint64_t most_hz = 100000;

std::string_view
canonical(std::uint64_t config) noexcept
{
	const auto all = software_events();
	return std::find_if(all.begin(), all.end(), [&](const auto &x) {
		return x.config == config; })->name;
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
unknown_software(const event_text &e, std::string &why)
{
	near_names near(e.name);
	for (const software_event &k : software_events())
		near.offer(k.name);
	why = "no software event is called " + e.name + near.question("");
	if (is_hardware(e.name))
		why = e.name + " is counted by hardware, which is not watched "
		    "here: cpu-clock:HZ samples what runs";
	return ENOENT;
}

} // namespace

int
find_software(const event_text &e, std::vector<probe> &probes, std::string &why)
{
	const software_event *const k = software_event_of(e.name);
	if (k == nullptr)
		return unknown_software(e, why);
	probe p;
	p.kind = probe_kind::software;
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
	probes.push_back(std::move(p));
	return 0;
}

} // namespace stack9::events
