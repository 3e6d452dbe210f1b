// Shows the stack of each event as it happens: the program stacksnoop.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tools/events/cli.h"
#include "tools/lib/program.h"
#include "stacksnoop.h"

namespace stacksnoop {

int
start(int argc, char **argv)
{
	events::options o;
	if (const auto status = parse(argc, argv, o))
		return *status;
	return o.list ? events::list_events(o) : run(o);
}

} // namespace stacksnoop
