// Reads the command line with CLI11.  Only this file pays for compiling CLI11.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <CLI/CLI.hpp>
#include <stack9.h>

#include "tools/lib/exits.h"
#include "tools/lib/limits.h"
#include "tools/lib/version.h"

namespace stackprint {
namespace {

constexpr const char *usage =
    "usage: stackprint [-kuIlRv] [--frames n] [--group] [--json]\n"
    "                  [--async[=seconds]] [--now] [--stop] [--debuginfod]\n"
    "                  [--limits n] [--pin dir] tid ... | -p pid | -a\n"
    "       stackprint --check\n"
    "       stackprint --pin dir\n"
    "       stackprint -V | -h\n";

// CLI11 alone would read 010 as 8 and 0x10 as 16.
std::string
decimal(const std::string &s)
{
	const bool good = !s.empty() && s[0] != '0' &&
	    s.find_first_not_of("0123456789") == std::string::npos;
	return good ? std::string() : "not a positive number: " + s;
}

constexpr const char *no_duration = "true";

// strtod() alone would take "inf", and CLI11 alone would take hexadecimal
// numbers.
std::string
duration(const std::string &s)
{
	const bool good = s == no_duration || (s != "." &&
	    s.find_first_not_of("0123456789.") == s.npos &&
	    s.find('.') == s.rfind('.') &&
	    std::strtod(s.c_str(), nullptr) <= longest_wait);
	return good ? std::string() : "not a number of seconds, up to a day: " +
	    s;
}

void
describe_targets(CLI::App &app, options &o)
{
	app.add_option("tid", o.tids, "threads to print, by thread id")
	    ->check(decimal)->type_name("");
	app.add_option("-p,--pid", o.pid, "all threads of process PID")
	    ->check(decimal)->type_name("PID");
	app.add_flag("-a,--all", o.all, "all threads of the machine");
}

void
describe_stacks(CLI::App &app, options &o)
{
	app.add_flag("-k,--kernel", o.only_kernel, "kernel stacks only");
	app.add_flag("-u,--user", o.only_user, "user stacks only");
	app.add_option("--frames", o.depth,
	    "at most N frames of each stack (1024)")
	    ->check(decimal)->type_name("N");
	app.add_flag("-I,--inlines", o.inlines,
	    "inlined calls as frames of their own");
	app.add_flag("-l,--lines", o.lines, "source file and line");
	app.add_flag("-R,--raw", o.raw_names,
	    "names as the symbol table has them, not demangled");
	app.add_flag("-v,--verbose", o.addresses,
	    "raw addresses, whole paths and build-ids too");
	app.add_flag("--group", o.group,
	    "equal stacks once, with their number and thread ids");
	app.add_flag("--json", o.json, "an object a line, for programs");
	app.add_flag("--stop", o.stop,
	    "hold the threads for the copy, by ptrace(2)");
	app.add_flag("--debuginfod", o.debuginfod,
	    "ask $DEBUGINFOD_URLS for what -I and -l need");
	app.add_option("--limits", o.limits, "read N times as much of "
	    "files and stacks as usual, or \"none\"")
	    ->check(limits_error)->type_name("N");
}

// A flag may have a value: "--async 4711" names a thread, and seconds follow
// "=".  Without seconds CLI11 gives "true".
void
describe_async(CLI::App &app, options &o, std::string &wait)
{
	app.add_flag("--async", wait,
	    "[=SECONDS] (1): user stacks by the threads themselves,\n"
	    "when they return to user space")->check(duration);
	app.add_flag("--now", o.now, "with --async: wake those that sleep");
}

void
describe_machine(CLI::App &app, options &o)
{
	app.add_flag("--check", o.check,
	    "what this machine and these rights allow");
	app.add_option("--pin", o.pin,
	    "keep or reuse BPF programs in bpffs directory DIR")
	    ->type_name("DIR");
	app.set_version_flag("-V,--version", version_of("stackprint"),
	    "print the version");
}

const char *
async_contradiction(const options &o)
{
	if (o.now && !o.async.has_value())
		return "--now goes with --async";
	if (o.now && o.sides() == STACK9_KERNEL)
		return "--now is for user stacks, which -k leaves out";
	if (o.now && o.all)
		return "--now goes with tids or -p, not with -a";
	if (o.stop && o.async.has_value())
		return "--stop and --async are two ways; give one of them";
	return nullptr;
}

const char *
side_contradiction(const options &o)
{
	const bool user = o.sides() != STACK9_KERNEL;
	if (!user && (o.inlines || o.lines))
		return "-I and -l are for user stacks, which -k leaves out";
	if (!user && o.stop)
		return "--stop is for user stacks, which -k leaves out";
	if (o.stop && o.all)
		return "--stop goes with tids or -p, not with -a";
	if (o.debuginfod && !o.inlines && !o.lines)
		return "--debuginfod goes with -I or -l";
	return async_contradiction(o);
}

// Names options that are right one by one and contradict each other, or returns
// nullptr.
const char *
contradiction(const options &o)
{
	const int targets = !o.tids.empty() + (o.pid != 0) + o.all;
	if (targets + o.check > 1)
		return "give tids, -p, -a or --check, one of them";
	if (targets + o.check == 0 && o.pin.empty())
		return "no thread is named";
	if (o.check && !o.pin.empty())
		return "--pin does not go with --check";
	if (o.depth > deepest)
		return "--frames: more than 65536 frames";
	return side_contradiction(o);
}

int
wrong(const char *what)
{
	std::fprintf(stderr, "stackprint: %s\n%s", what, usage);
	return exit_usage;
}

std::string
joined(int argc, char **argv)
{
	std::string line;
	for (int i = 0; i < argc; i++)
		line.append(i ? " " : "").append(argv[i]);
	return line;
}

} // namespace

std::optional<int>
parse(int argc, char **argv, options &o)
{
	std::string wait;
	CLI::App app("Print what threads are doing, in the kernel and in user "
	    "space.", "stackprint");
	describe_targets(app, o);
	describe_stacks(app, o);
	describe_async(app, o, wait);
	describe_machine(app, o);
	try {
		app.parse(argc, argv);
	} catch (const CLI::CallForVersion &) {
		std::puts(version_of("stackprint").c_str());
		return exit_complete;
	} catch (const CLI::CallForHelp &) {
		std::fputs(app.help().c_str(), stdout);
		return exit_complete;
	} catch (const CLI::ParseError &e) {
		return wrong(e.what());
	}
	if (!wait.empty())
		o.async = wait == no_duration ? usual_wait :
		    std::strtod(wait.c_str(), nullptr);
	o.again = joined(argc, argv);
	if (const char *what = contradiction(o))
		return wrong(what);
	return std::nullopt;
}

} // namespace stackprint
