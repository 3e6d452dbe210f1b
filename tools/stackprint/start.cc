// Prints what threads are doing, in the kernel and in user space: the program
// stackprint.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <cstring>

#include <stack9.h>

#include "options.h"
#include "tools/lib/command_line.h"
#include "tools/lib/program.h"
#include "tools/lib/rights.h"
#include "tools/lib/surroundings.h"

namespace stackprint {
namespace {

// A program that lends its rights refuses these options: pinned programs
// outlive it and belong to the owner of its file, and programs found in DIR are
// trusted.
int
pin(const std::string &dir)
{
	const std::string name = called("stackprint");
	if (borrowed_rights()) {
		std::fprintf(stderr, "%s: --pin: not with the file's "
		    "capabilities; try: sudo %s --pin %s\n",
		    name.c_str(), name.c_str(), dir.c_str());
		return exit_none;
	}
	const int error = stack9_pin(dir.c_str());
	if (error == 0)
		return exit_complete;
	std::fprintf(stderr, "%s: --pin %s: %s%s\n", name.c_str(),
	    dir.c_str(), std::strerror(error), error == EOPNOTSUPP ?
	    " (is it a bpffs? try: mount -t bpf bpf /sys/fs/bpf)" : "");
	return exit_none;
}

} // namespace

int
start(int argc, char **argv)
{
	options o;
	if (const auto status = parse(argc, argv, o))
		return *status;
	if (o.check)
		return check();
	raise_descriptors();
	if (!o.record.empty())
		return print_recorded(for_terminal(o));
	if (o.any_target() && (o.sides() & STACK9_USER) != 0 &&
	    !read_files_apart(o.asks_once() ? STACK9_APART_ONCE : 0)) {
		const std::string name = called("stackprint");
		std::fprintf(stderr, "%s: %s\n", name.c_str(),
		    stack9_reason());
		if (const std::string few = few_descriptors(); !few.empty())
			std::fprintf(stderr, "%s: %s\n", name.c_str(),
			    few.c_str());
		return exit_none;
	}
	if (!o.dump.empty())
		return write_dump(o);
	if (!o.core.empty())
		return print_core(for_terminal(o));
	if (!o.pin.empty())
		if (const int error = pin(o.pin); error != 0)
			return error;
	return o.any_target() ? run(for_terminal(o)) : exit_complete;
}

} // namespace stackprint
