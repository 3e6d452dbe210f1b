// Counts the stacks that lead to an event: the program stackcount.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <exception>

#include "tools/events/cli.h"
#include "tools/lib/surroundings.h"
#include "stackcount.h"

int
main(int argc, char **argv)
{
	stackprint::fill_standard_streams();
	try {
		events::options o;
		if (const auto status = stackcount::parse(argc, argv, o))
			return *status;
		if (!o.diff.empty())
			return stackcount::run_diff(o);
		return o.list ? events::list_events(o) : stackcount::run(o);
	} catch (const std::exception &e) {
		return stackprint::end_for("stackcount", e);
	}
}
