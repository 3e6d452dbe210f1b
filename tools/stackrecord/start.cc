// Keeps what all threads did, to be asked afterwards: the program stackrecord.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>

#include <stack9.h>

#include "options.h"
#include "tools/lib/command_line.h"
#include "tools/lib/limits.h"
#include "tools/lib/program.h"
#include "tools/lib/rights.h"
#include "tools/lib/surroundings.h"
#include "tools/servers/follower.h"
#include "tools/servers/secrets.h"

namespace stackrecord {

// A record is read later and by others, so nothing could ask then whether the
// caller may see each thread.
int
start(int argc, char **argv)
{
	options o;
	if (const auto status = parse(argc, argv, o))
		return *status;
	const std::string name = tools::called("stackrecord");
	if (tools::borrowed_rights()) {
		std::fprintf(stderr, "%s: not with the file's capabilities; "
		    "run it as root\n", name.c_str());
		return tools::exit_none;
	}
	servers::follower_process sender;
	if (!o.to.empty()) {
		servers::address to;
		servers::read_address(o.to, to);
		if (const std::string what = servers::exposed_secrets(to);
		    !what.empty())
			std::fprintf(stderr, "%s: %s: %s\n", name.c_str(),
			    to.text().c_str(), what.c_str());
		if (const std::string why = sender.start(name.c_str(), o.dir,
		    to); !why.empty()) {
			std::fprintf(stderr, "%s: %s: %s\n", name.c_str(),
			    to.text().c_str(), why.c_str());
			return tools::exit_none;
		}
	}
	tools::raise_descriptors();
	if (o.sides() != STACK9_KERNEL && !tools::read_files_apart()) {
		std::fprintf(stderr, "%s: %s\n", name.c_str(),
		    stack9_reason());
		return tools::exit_none;
	}
	tools::set_limits(o.limits);
	const int status = run(o);
	const int sent = sender.wait_for();
	return status == tools::exit_complete ? sent : status;
}

} // namespace stackrecord
