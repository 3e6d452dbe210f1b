// Reads the options that both programs have with CLI11.  CLI11 never sees the
// command behind "--".
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cli.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/lib/exits.h"
#include "tools/lib/limits.h"
#include "tools/lib/version.h"

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

// CLI11 alone would read 010 as 8 and 0x10 as 16.
std::string
positive(const std::string &s)
{
	return is_decimal(s) && s[0] != '0' ? std::string() :
	    "not a positive number: " + s;
}

// strtod() alone would take "inf", and CLI11 alone would take hexadecimal
// numbers.
std::string
seconds(const std::string &s)
{
	const double value = std::strtod(s.c_str(), nullptr);
	const bool good = s.find_first_not_of("0123456789.") == s.npos &&
	    s.find('.') == s.rfind('.') && value > 0 && value <= longest;
	return good ? std::string() : "not a number of seconds: " + s;
}

void
describe_events(CLI::App &app, options &o)
{
	app.add_option("event", o.event, "what to watch, as "
	    "t:sched:sched_switch, syscall:openat,\nvfs_read, u:libc:malloc, "
	    "cpu-clock:99, offcpu")->type_name("");
	app.add_option("-p,--pid", o.pid, "of process PID")
	    ->check(positive)->type_name("PID");
	app.add_option("-t,--tid", o.tid, "of thread TID")
	    ->check(positive)->type_name("TID");
	app.add_option("-n,--comm", o.comm, "of threads called NAME")
	    ->type_name("NAME");
	app.add_option("--cgroup", o.cgroup,
	    "of cgroup v2 DIR and those below it")->type_name("DIR");
	app.add_option("-C,--cpu", o.cpu, "on this CPU")
	    ->check(cpu_number)->type_name("CPU");
	app.add_flag("-r,--regex", o.regex, "names in EVENT are regular "
	    "expressions, not patterns");
	app.add_option("-c,--count", o.limit, "end after N events")
	    ->check(positive)->type_name("N");
	app.add_option("-D,--duration", o.duration, "end after SECONDS")
	    ->check(seconds)->type_name("SECONDS");
	app.add_option("-m,--min-block", o.min_us,
	    "offcpu: blocked at least US microseconds")
	    ->check(positive)->type_name("US");
	app.add_option("-M,--max-block", o.max_us,
	    "offcpu: blocked at most US microseconds")
	    ->check(positive)->type_name("US");
}

void
describe_stacks(CLI::App &app, options &o)
{
	app.add_flag("-k,--kernel", o.only_kernel, "kernel stacks only");
	app.add_flag("-u,--user", o.only_user, "user stacks only");
	app.add_flag("--fp", o.frame_pointers,
	    "walk user stacks by frame pointers, in the kernel");
	app.add_option("--frames", o.frames, "at most N frames a side")
	    ->check(positive)->type_name("N");
	app.add_option("--ring", o.ring,
	    "the buffer between kernel and program, as 64M")
	    ->transform(CLI::AsSizeValue(false))->type_name("BYTES");
}

void
describe_telling(CLI::App &app, options &o, const char *formats)
{
	app.add_option("-f,--format", o.format, formats)->type_name("FORMAT");
	app.add_option("-o,--output", o.file, "write to FILE")
	    ->type_name("FILE");
	app.add_flag("-d,--delimiter", o.delimiter,
	    "-- between kernel and user frames");
	app.add_flag("-s,--offsets", o.offsets,
	    "the distance from a function's start");
	app.add_flag("-v,--verbose", o.addresses,
	    "raw addresses, and whole paths");
	app.add_flag("-R,--raw", o.raw_names,
	    "names as the symbol table has them, not demangled");
	app.add_flag("-I,--inlines", o.inlines,
	    "inlined calls as frames of their own");
	app.add_flag("-l,--lines", o.lines, "source file and line");
	app.add_flag("--debuginfod", o.debuginfod,
	    "ask $DEBUGINFOD_URLS for what -I and -l need");
	app.add_option("--limits", o.limits, "read N times as much of "
	    "files and stacks as usual, or \"none\"")
	    ->check(stackprint::limits_error)->type_name("N");
	app.add_flag("-q,--quiet", o.quiet, "say nothing but what is wrong");
	app.set_version_flag("-V,--version",
	    stackprint::version_of(o.program), "print the version");
}

int
wrong(const options &o, const char *what, const char *usage)
{
	std::fprintf(stderr, "%s: %s\n%s", o.program, what, usage);
	return stackprint::exit_usage;
}

const char *
contradiction(const options &o)
{
	if (o.event.empty())
		return "no event is named";
	if (!o.command.empty() && (o.pid != 0 || o.tid != 0))
		return "give -p or -t, or a command";
	if ((o.min_us != 0 || o.max_us != 0) && !o.is_offcpu())
		return "-m and -M go with offcpu";
	if (o.max_us != 0 && o.max_us < o.min_us)
		return "-M is less than -m";
	if (o.frames > deepest)
		return "--frames: more than 1024";
	const bool user = o.sides() != STACK9_KERNEL;
	if (!user && (o.inlines || o.lines || o.frame_pointers))
		return "-I, -l and --fp are for user stacks, which -k "
		    "leaves out";
	if (o.debuginfod && !o.inlines && !o.lines)
		return "--debuginfod goes with -I or -l";
	return nullptr;
}

std::optional<int>
parse(CLI::App &app, int argc, char **argv, options &o, const char *usage)
{
	char **const end = argv + argc;
	for (char **word = argv; word != end; word++)
		o.line.append(word == argv ? "" : " ").append(*word);
	char **const dashes = std::find_if(argv + (argc > 0), end,
	    [](const char *a) { return std::strcmp(a, "--") == 0; });
	if (dashes != end)
		o.command.assign(dashes + 1, end);
	try {
		app.parse(static_cast<int>(dashes - argv), argv);
	} catch (const CLI::CallForVersion &) {
		std::puts(stackprint::version_of(o.program).c_str());
		return stackprint::exit_complete;
	} catch (const CLI::CallForHelp &) {
		std::fputs(app.help().c_str(), stdout);
		return stackprint::exit_complete;
	} catch (const CLI::ParseError &e) {
		return wrong(o, e.what(), usage);
	}
	if (dashes != end && o.command.empty())
		return wrong(o, "no command follows --", usage);
	if (const char *what = contradiction(o))
		return wrong(o, what, usage);
	return std::nullopt;
}

} // namespace events
