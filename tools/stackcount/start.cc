// Counts the stacks that lead to an event: the program stackcount.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tools/events/cli.h"
#include "tools/lib/program.h"
#include "stackcount.h"

namespace stackcount {

int
start(int argc, char **argv)
{
	events::options o;
	if (const auto status = parse(argc, argv, o))
		return *status;
	if (!o.diff.empty())
		return run_diff(o);
	return o.list ? events::list_events(o) : run(o);
}

} // namespace stackcount
