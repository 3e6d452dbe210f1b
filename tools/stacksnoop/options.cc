// Adds the short form that only stacksnoop has.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stacksnoop.h"

#include "tools/events/cli.h"

namespace stacksnoop {
namespace {

constexpr const char *usage =
    "usage: stacksnoop [-kudsvIlRrq] [-p pid] [-t tid] [-n comm] [-C cpu]\n"
    "                  [--cgroup dir] [-c events] [-D seconds] [-m us]\n"
    "                  [-M us] [-f format] [-o file] [option ...] event\n"
    "                  [-- command ...]\n"
    "       stacksnoop -V | -h\n";

constexpr const char *formats = "text, json or perf";

bool
is_format(const std::string &s)
{
	return s == "text" || s == "json" || s == "perf";
}

} // namespace

std::optional<int>
parse(int argc, char **argv, events::options &o)
{
	bool json = false;
	o.program = "stacksnoop";
	CLI::App app("Show the stack of each event as it happens.", o.program);
	events::describe_events(app, o);
	events::describe_stacks(app, o);
	events::describe_telling(app, o, formats);
	app.add_flag("--json", json, "as -f json");
	if (const auto status = events::parse(app, argc, argv, o, usage))
		return status;
	if (json && o.format != "text")
		return events::wrong(o, "give one format", usage);
	if (json)
		o.format = "json";
	if (!is_format(o.format))
		return events::wrong(o, (std::string("-f: ") + formats).c_str(),
		    usage);
	return std::nullopt;
}

} // namespace stacksnoop
