// Says what happens at each event of the fake library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "fake_watch.h"

#include <cstring>

#include "fake.h"

namespace fake {

bool
rows_of(const char *event, std::uint64_t limit, std::vector<row> &rows)
{
	const auto is = [&](const char *name) {
		return std::strcmp(event, name) == 0;
	};
	if (is("whole") || is("many:*") || is("cpu-clock:100"))
		rows = {{whole, process, 2, 0}, {whole, twin, 3, 0},
		    {at_end, process, 4, 0}, {kthread, kthread, 1, 0}};
	else if (is("odd"))
		rows = {{truncated, process, 1, 0}, {nameless, process, 1, 0},
		    {hostile, process, 1, 0}, {user_mode, process, 1, 0},
		    {user_refused, process, 1, 0}};
	else if (is("offcpu"))
		rows = {{whole, process, 1, 1500}, {at_end, process, 2, 40}};
	else if (is("growing"))
		rows = {{whole, process, 1, 0}};
	else if (is("flood"))
		rows = {{whole, process, limit, 0}};
	else if (!is("none"))
		return false;
	return true;
}

} // namespace fake
