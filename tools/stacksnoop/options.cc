// Adds the short form that only stacksnoop has.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stacksnoop.h"

#include <fmt/format.h>

#include "tools/events/cli.h"
#include "tools/lib/file_ending.h"

namespace stacksnoop {
namespace {

constexpr const char *usage =
    "usage: stacksnoop [-kKuUdsvIlRrq] [-p pid [--children]] [-t tid]\n"
    "                  [-n name] [-C cpu]\n"
    "                  [--cgroup dir | --unit name | --container id]\n"
    "                  [-c n] [-D seconds] [-m us]\n"
    "                  [-M us] [-f format] [-o file] [option ...]\n"
    "                  [-F hz] [event] [-- command ...]\n"
    "       stacksnoop --list [pattern]\n"
    "       stacksnoop -V | -h\n";

constexpr const char *formats = "text, json or perf";

constexpr tools::file_ending endings[] = {
	{".json", "json"}, {".jsonl", "json"}, {".perf", "perf"},
};

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
	events::command_line line(o.program,
	    "Show the stack of each event as it happens.", usage);
	events::describe_events(line, o);
	events::describe_stacks(line, o);
	events::describe_reporting(line, o, formats);
	line.flag("--json", json, ": as -f json");
	if (const auto status = events::parse(line, argc, argv, o))
		return status;
	if (json && !o.format.empty())
		return line.wrong("give one format");
	if (json)
		o.format = "json";
	if (o.format.empty())
		o.format = tools::format_by_name(o.file, endings);
	if (o.file.ends_with(".gz"))
		return line.wrong("-o: events are written as they come, and "
		    "not compressed; stacksnoop -f FORMAT | gzip > FILE does "
		    "it");
	if (!is_format(o.format))
		return line.wrong(fmt::format("-f: {}", formats).c_str());
	return std::nullopt;
}

} // namespace stacksnoop
