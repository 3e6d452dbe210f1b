// Shows the stack of each event as it happens: the program stacksnoop.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <exception>

#include "tools/events/cli.h"
#include "tools/lib/surroundings.h"
#include "stacksnoop.h"

int
main(int argc, char **argv)
{
	stackprint::fill_standard_streams();
	try {
		events::options o;
		if (const auto status = stacksnoop::parse(argc, argv, o))
			return *status;
		return o.list ? events::list_events(o) : stacksnoop::run(o);
	} catch (const std::exception &e) {
		return stackprint::end_for("stacksnoop", e);
	}
}
