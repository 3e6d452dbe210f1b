// Compares the probes that an event's text finds.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "found.h"

#include <algorithm>
#include <tuple>

namespace {

auto
place(const stack9::events::probe &p)
{
	return std::tuple(p.kind, p.name, p.path, p.provider, p.offset,
	    p.semaphore, p.number, p.returns, p.config, p.period, p.frequency);
}

} // namespace

std::set<std::string>
found::labels() const
{
	std::set<std::string> all;
	for (const auto &p : probes)
		all.insert(p.label);
	return all;
}

bool
found::labels_are_names() const
{
	return std::all_of(probes.begin(), probes.end(), [](const auto &p) {
		const found again(p.label);
		return again.error == 0 && again.labels().size() == 1 &&
		    std::any_of(again.probes.begin(), again.probes.end(),
		    [&](const auto &q) { return place(p) == place(q); });
	});
}

std::ostream &
operator<<(std::ostream &out, const found &f)
{
	out << f.error << ' ' << f.why;
	for (const auto &p : f.probes)
		out << ' ' << p.label;
	return out;
}
