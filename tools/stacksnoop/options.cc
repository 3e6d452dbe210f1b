// What stacksnoop has besides: a short form.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include "../events/cli.h"

namespace stacksnoop {
namespace {

constexpr const char *usage =
    "usage: stacksnoop [-kudsvrq] [-p pid] [-t tid] [-n comm] [-C cpu]\n"
    "                  [--cgroup dir] [-c events] [-D seconds] [-m us]\n"
    "                  [-M us] [-f format] [-o file] [option ...] event\n"
    "                  [-- command ...]\n"
    "       stacksnoop -V | -h\n";

} // namespace

std::optional<int>
parse(int argc, char **argv, events::options &o)
{
	bool json = false;
	o.program = "stacksnoop";
	CLI::App app("Show the stack of each event as it happens.", o.program);
	events::describe_events(app, o);
	events::describe_stacks(app, o);
	events::describe_telling(app, o, "text, json or perf");
	app.add_flag("--json", json, "as -f json");
	if (const auto status = events::parse(app, argc, argv, o, usage))
		return status;
	if (json && o.format != "text")
		return events::wrong(o, "give one format", usage);
	if (json)
		o.format = "json";
	if (o.format != "text" && o.format != "json" && o.format != "perf")
		return events::wrong(o, "-f: text, json or perf", usage);
	return std::nullopt;
}

} // namespace stacksnoop
