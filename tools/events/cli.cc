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
	line.value("EVENT", o.event, "what to watch, as "
	    "t:sched:sched_switch, syscall:openat,\nvfs_read, u:libc:malloc, "
	    "cpu-clock:99, offcpu", "");
	line.value("-e,--event", o.event_option, "as EVENT", "EVENT");
	line.flag("--list", o.list, "list the events that EVENT matches, and "
	    "watch none");
	line.value("-F,--frequency", o.frequency, "cpu-clock, HZ times a "
	    "second on each CPU", "HZ", tools::decimal);
	line.values("-p,--pid", o.pids, "of process PID, or of several: "
	    "PID,PID", "PID", tools::process_id);
	line.flag("--children", o.children,
	    "with -p: and of the processes that it started");
	line.value("-t,--tid", o.tid, "of thread TID", "TID", tools::decimal);
	line.value("-n,--comm", o.comm, "of threads called NAME", "NAME");
	line.value("--cgroup", o.cgroup,
	    "of cgroup v2 DIR and those below it", "DIR");
	line.value("--unit", o.unit, "of systemd's unit NAME", "NAME");
	line.value("--container", o.container,
	    "of the container with this ID or its beginning", "ID");
	line.value("-C,--cpu", o.cpu, "on this CPU", "CPU", cpu_number);
	line.flag("-r,--regex", o.regex, "names in EVENT are regular "
	    "expressions, not patterns");
	line.value("-c,--count", o.limit, "end after N events", "N",
	    tools::decimal);
	line.seconds("-D,--duration", o.duration, "end after SECONDS");
	line.value("-m,--min-block", o.min_us,
	    "offcpu: blocked at least US microseconds", "US", tools::decimal);
	line.value("-M,--max-block", o.max_us,
	    "offcpu: blocked at most US microseconds", "US", tools::decimal);
}

void
describe_stacks(command_line &line, options &o)
{
	line.flag("-k,--kernel", o.only_kernel, "kernel stacks only");
	line.flag("-u,--user", o.only_user, "user stacks only");
	line.flag("-K,--kernel-stacks-only", o.only_kernel, "as -k");
	line.flag("-U,--user-stacks-only", o.only_user, "as -u");
	line.flag("--fp", o.frame_pointers,
	    "walk user stacks by frame pointers, in the kernel");
	line.flag("--copy", o.copy,
	    "copy each user stack; walk none by learned rules");
	line.value("--frames", o.frames, "at most N frames a side", "N",
	    tools::decimal);
	line.bytes("--ring", o.ring,
	    "the buffer between kernel and program, as 64M");
	line.bytes("--rules", o.rules,
	    "memory of learned rules, at most, as 64M");
}

void
describe_telling(command_line &line, options &o, const char *formats)
{
	line.value("-f,--format", o.format, formats, "FORMAT");
	line.value("-o,--output", o.file, "write to FILE, in the format that "
	    "its name ends in", "FILE");
	line.flag("-d,--delimiter", o.delimiter,
	    "-- between kernel and user frames");
	line.flag("-s,--offsets", o.offsets,
	    "the distance from a function's start");
	line.flag("-v,--verbose", o.addresses,
	    "raw addresses, and whole paths");
	line.flag("-R,--raw", o.raw_names,
	    "names as the symbol table has them, not demangled");
	line.flag("-I,--inlines", o.inlines,
	    "inlined calls as frames of their own");
	line.flag("-l,--lines", o.lines, "source file and line");
	line.flag("--debuginfod", o.debuginfod,
	    "ask $DEBUGINFOD_URLS for what -I and -l need");
	line.value("--limits", o.limits, "read N times as much of "
	    "files and stacks as usual, or \"none\"", "N",
	    tools::limits_error);
	line.flag("-q,--quiet", o.quiet, "say nothing but what is wrong");
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
