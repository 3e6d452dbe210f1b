// Describes the options of stackprint, and reads them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <cstdlib>
#include <string>

#include <stack9.h>

#include "tools/lib/command_line.h"
#include "tools/lib/limits.h"
#include "tools/lib/time_text.h"

namespace stackprint {
namespace {

constexpr const char *usage =
    "usage: stackprint [-kuIlRv] [--frames n] [--group | --no-group]\n"
    "                  [--json | --procstat]\n"
    "                  [--async[=seconds]] [--now] [--stop] [--debuginfod]\n"
    "                  [--limits n] [--pin dir]\n"
    "                  [--waits | --no-waits] [--why] [--no-goroutines]\n"
    "                  [--native] [--follow[=seconds] [--changes]]\n"
    "                  [--stuck[=seconds]] [--top]\n"
    "                  [--children] [-n name] [--state letters]\n"
    "                  [--cgroup dir] [--unit name] [--container id]\n"
    "                  tid ... | -p pid | -a\n"
    "       stackprint --record record [--at time] [--debug-dir dir]\n"
    "                  [option ...] [tid ... | -p pid]\n"
    "       stackprint --core file [--sysroot dir] [--debug-dir dir]\n"
    "                  [option ...] [tid ...]\n"
    "       stackprint --dump file [--stop] pid\n"
    "       stackprint --dump file --core file [--sysroot dir]\n"
    "                  [--debug-dir dir]\n"
    "       stackprint --check\n"
    "       stackprint --pin dir\n"
    "       stackprint -V | -h\n";

constexpr const char *no_duration = command_line::no_value;

// strtod() alone would take "inf" and hexadecimal numbers.
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

std::string
thread_id(const std::string &s)
{
	return id_error(s, "thread", "stackprint --comm " + s + ", or ");
}

void
describe_targets(command_line &line, options &o)
{
	line.arguments("TID", o.tids, "threads to print, by thread id",
	    thread_id);
	line.values("--tid", o.tids, decimal);
	line.flag("--all", o.all);
	describe_processes(line, o);
}

void
describe_stacks(command_line &line, options &o)
{
	line.flag("--kernel", o.only_kernel);
	line.flag("--user", o.only_user);
	line.value("--frames", o.depth, decimal, " (1024)");
	line.flag("--inlines", o.inlines);
	line.flag("--lines", o.lines);
	line.flag("--raw", o.raw_names);
	line.flag("--native", o.native);
	line.flag("--verbose", o.addresses, ", and build-ids");
	line.flag("--group", o.group);
	line.flag("--no-group", o.no_group);
	line.flag("--no-goroutines", o.no_goroutines);
	line.flag("--procstat", o.procstat);
	line.flag("--json", o.json, ": an object a line");
	line.flag("--stop", o.stop);
	line.flag("--debuginfod", o.debuginfod);
	line.flag("--waits", o.waits);
	line.flag("--no-waits", o.no_waits);
	line.flag("--why", o.why);
	line.value("--limits", o.limits, limits_error);
}

// The words of flags that may have a value: "--async 4711" names a thread, and
// seconds follow "=".  Without seconds a word is no_duration.
struct durations {
	std::string	async, follow, stuck;
};

std::optional<double>
seconds(const std::string &s, double usual)
{
	if (s.empty())
		return std::nullopt;
	return s == no_duration ? usual : std::strtod(s.c_str(), nullptr);
}

void
describe_looks(command_line &line, options &o, durations &d)
{
	line.flag("--follow", d.follow, duration);
	line.flag("--changes", o.changes);
	line.flag("--stuck", d.stuck, duration);
	line.flag("--top", o.top);
}

void
describe_records(command_line &line, options &o)
{
	line.value("--record", o.record, nullptr,
	    " a directory, or a file of it; print what it has");
	line.value("--at", o.at, moment_error);
	line.value("--core", o.core, nullptr);
	line.value("--sysroot", o.sysroot, nullptr);
	line.value("--dump", o.dump, nullptr,
	    ": PID, or --core; \"-\": standard output");
	line.values("--debug-dir", o.debug_dirs);
}

void
describe_async(command_line &line, options &o, std::string &wait)
{
	line.flag("--async", wait, duration);
	line.flag("--now", o.now);
}

void
describe_machine(command_line &line, options &o)
{
	line.flag("--check", o.check);
	line.value("--pin", o.pin);
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
	durations d;
	command_line line("stackprint", "Print what threads are doing, in the "
	    "kernel and in user space.", usage);
	describe_targets(line, o);
	describe_filters(line, o);
	describe_stacks(line, o);
	describe_looks(line, o, d);
	describe_records(line, o);
	describe_async(line, o, d.async);
	describe_machine(line, o);
	if (const auto status = line.read(argc, argv))
		return status;
	o.async = seconds(d.async, usual_wait);
	o.follow = seconds(d.follow, usual_wait);
	o.stuck = seconds(d.stuck, usual_wait);
	o.again = joined(argc, argv);
	// They ask about many threads, so without a word it is all of them.
	const bool of_many = o.why || o.waits || o.group || o.top ||
	    o.watches();
	o.all |= of_many && o.tids.empty() && o.pids.empty() &&
	    o.is_live() && !o.any_filter() && !o.check;
	if (const char *what = contradiction(o))
		return line.wrong(what);
	o.only_kernel |= o.procstat;
	return std::nullopt;
}

} // namespace stackprint
