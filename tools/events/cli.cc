// Describes the options that both programs have, and reads them up to "--".
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cli.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/lib/cgroups.h"
#include "tools/lib/command_line.h"
#include "tools/lib/limits.h"
#include "tools/lib/program.h"
#include "tools/lib/thread_filter.h"

namespace events {
namespace {

bool
is_decimal(const std::string &s)
{
	return !s.empty() &&
	    s.find_first_not_of("0123456789") == std::string::npos;
}

std::string
cpu_number(const std::string &s)
{
	return is_decimal(s) ? std::string() : "not the number of a CPU: " + s;
}

} // namespace

void
describe_events(command_line &line, options &o)
{
	line.argument("EVENT", o.event, "what to watch, as "
	    "t:sched:sched_switch, syscall:openat,\nvfs_read, u:libc:malloc, "
	    "cpu-clock:99, offcpu");
	line.value("--event", o.event_option, nullptr, ": as the argument");
	line.flag("--list", o.list);
	line.value("--frequency", o.frequency, tools::decimal,
	    ": cpu-clock, on each CPU");
	line.values("--pid", o.pids, tools::process_id);
	line.flag("--children", o.children);
	line.value("--tid", o.tid, tools::decimal);
	line.value("--comm", o.comm);
	line.value("--cgroup", o.cgroup);
	line.value("--unit", o.unit);
	line.value("--container", o.container);
	line.value("--cpu", o.cpu, cpu_number);
	line.flag("--regex", o.regex);
	line.value("--count", o.limit, tools::decimal);
	line.seconds("--duration", o.duration);
	line.value("--min-block", o.min_us, tools::decimal);
	line.value("--max-block", o.max_us, tools::decimal);
}

void
describe_stacks(command_line &line, options &o)
{
	line.flag("--kernel", o.only_kernel);
	line.flag("--user", o.only_user);
	line.flag("--kernel-stacks-only", o.only_kernel);
	line.flag("--user-stacks-only", o.only_user);
	line.flag("--fp", o.frame_pointers);
	line.flag("--copy", o.copy);
	line.flag("--native", o.native);
	line.value("--frames", o.frames, tools::decimal);
	line.bytes("--ring", o.ring);
	line.bytes("--rules", o.rules);
}

void
describe_reporting(command_line &line, options &o, const char *formats)
{
	line.value("--format", o.format, nullptr, std::string(" ") + formats);
	line.value("--output", o.file);
	line.flag("--delimiter", o.delimiter);
	line.flag("--offsets", o.offsets);
	line.flag("--verbose", o.addresses);
	line.flag("--raw", o.raw_names);
	line.flag("--inlines", o.inlines);
	line.flag("--lines", o.lines);
	line.flag("--debuginfod", o.debuginfod);
	line.value("--limits", o.limits, tools::limits_error);
	line.flag("--quiet", o.quiet);
}

const char *
contradiction(const options &o)
{
	if (o.frequency != 0 && !o.list)
		return "-F goes with cpu-clock or task-clock, or alone";
	if (o.list && (!o.command.empty() || o.frequency != 0))
		return "--list goes with the name of an event or a part of it";
	if (o.event.empty() && !o.list)
		return "no event is named";
	if (o.children && o.pids.empty())
		return "--children goes with -p";
	if (o.tid != 0 && (o.pids.size() > 1 || o.children))
		return "-t goes with one process";
	if (!o.command.empty() && (!o.pids.empty() || o.tid != 0))
		return "give -p or -t, or a command";
	if (!o.cgroup.empty() + !o.unit.empty() + !o.container.empty() > 1)
		return "give --cgroup, --unit or --container, one of them";
	if ((o.min_us != 0 || o.max_us != 0) && !o.is_offcpu())
		return "-m and -M go with offcpu";
	if (o.max_us != 0 && o.max_us < o.min_us)
		return "-M is less than -m";
	if (o.frames > deepest)
		return "--frames: more than 1024";
	const bool user = o.sides() != STACK9_KERNEL;
	if (o.copy && (!user || o.frame_pointers))
		return "--copy is for user stacks, without --fp";
	if (o.rules != 0 && (!user || o.frame_pointers || o.copy))
		return "--rules is for user stacks, without --fp and --copy";
	if (!user && (o.inlines || o.lines || o.frame_pointers))
		return "-I, -l and --fp are for user stacks, which -k "
		    "leaves out";
	if (o.debuginfod && !o.inlines && !o.lines)
		return "--debuginfod goes with -I or -l";
	return o.debuginfod ? tools::no_debuginfod() : nullptr;
}

namespace {

// Writes the frequency of -F into the event, as the library takes it.
void
add_frequency(options &o)
{
	if (o.frequency == 0 || o.list)
		return;
	if (o.event.empty())
		o.event = "cpu-clock";
	for (const char *clock : {"cpu-clock", "task-clock", "profile"})
		if (o.event == clock) {
			o.event += ":" + std::to_string(o.frequency);
			o.frequency = 0;
			break;
		}
}

std::optional<int>
find_cgroup(options &o)
{
	std::string why;
	int error = 0;
	if (!o.unit.empty())
		error = tools::cgroup_of_unit(o.unit, o.cgroup, why);
	else if (!o.container.empty())
		error = tools::cgroup_of_container(o.container, o.cgroup,
		    why);
	else if (!o.cgroup.empty())
		o.cgroup = tools::cgroup_directory(o.cgroup);
	if (error == 0)
		return std::nullopt;
	std::fprintf(stderr, "%s: %s\n", tools::called(o.program)
	    .c_str(), why.c_str());
	return tools::exit_none;
}

} // namespace

std::optional<int>
parse(command_line &line, int argc, char **argv, options &o)
{
	char **const end = argv + argc;
	for (char **word = argv; word != end; word++)
		o.line.append(word == argv ? "" : " ").append(*word);
	char **const dashes = std::find_if(argv + (argc > 0), end,
	    [](const char *a) { return std::strcmp(a, "--") == 0; });
	if (dashes != end)
		o.command.assign(dashes + 1, end);
	if (const auto status = line.read(static_cast<int>(dashes - argv),
	    argv))
		return status;
	if (dashes != end && o.command.empty())
		return line.wrong("no command follows --");
	if (!o.event.empty() && !o.event_option.empty())
		return line.wrong(o.list ? "one event is listed" :
		    "one event is counted; -e and an argument name two");
	if (o.event.empty())
		o.event = o.event_option;
	add_frequency(o);
	if (o.pids.size() == 1 && !o.children)
		o.pid = o.pids[0];
	if (const char *what = contradiction(o))
		return line.wrong(what);
	return find_cgroup(o);
}

} // namespace events
