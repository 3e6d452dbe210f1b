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
	line.values("TID", o.tids, "threads to print, by thread id", "",
	    thread_id);
	line.values("-t,--tid", o.tids, "as TID: threads, by thread id", "TID",
	    decimal);
	line.flag("-a,--all", o.all, "all threads of the machine");
	describe_processes(line, o,
	    "all threads of process PID, or of several: PID,PID");
}

void
describe_stacks(command_line &line, options &o)
{
	line.flag("-k,--kernel", o.only_kernel, "kernel stacks only");
	line.flag("-u,--user", o.only_user, "user stacks only");
	line.value("--frames", o.depth,
	    "at most N frames of each stack (1024)", "N", decimal);
	line.flag("-I,--inlines", o.inlines,
	    "inlined calls as frames of their own");
	line.flag("-l,--lines", o.lines, "source file and line");
	line.flag("-R,--raw", o.raw_names,
	    "names as the symbol table has them, not demangled");
	line.flag("--native", o.native, "native frames only: the loops of "
	    "interpreters in place of what they run");
	line.flag("-v,--verbose", o.addresses,
	    "raw addresses, whole paths and build-ids too");
	line.flag("--group", o.group,
	    "equal stacks once, with their number and thread ids");
	line.flag("--no-group", o.no_group, "each thread for itself, on a "
	    "terminal too");
	line.flag("--no-goroutines", o.no_goroutines,
	    "with -p: only threads, no goroutines that wait beside them");
	line.flag("--procstat", o.procstat,
	    "kernel stacks in the columns of FreeBSD's procstat -kk");
	line.flag("--json", o.json, "an object a line, for programs");
	line.flag("--stop", o.stop,
	    "hold the threads for the copy, by ptrace(2)");
	line.flag("--debuginfod", o.debuginfod,
	    "ask $DEBUGINFOD_URLS for what -I and -l need");
	line.flag("--waits", o.waits,
	    "what each thread waits for, and who can end it");
	line.flag("--no-waits", o.no_waits,
	    "not what threads wait for, on a terminal too");
	line.flag("--why", o.why,
	    "who waits for whom: roots and deadlocks, with their stacks");
	line.value("--limits", o.limits, "read N times as much of "
	    "files and stacks as usual, or \"none\"", "N", limits_error);
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
	line.flag("--follow", d.follow,
	    "[=SECONDS] (1): again and again, only threads that have run",
	    duration);
	line.flag("--changes", o.changes,
	    "with --follow: only stacks that changed, and how");
	line.flag("--stuck", d.stuck,
	    "[=SECONDS] (1): only threads that have not run meanwhile,\n"
	    "with their waits", duration);
	line.flag("--top", o.top,
	    "groups of equal stacks, live, on the whole terminal");
}

void
describe_records(command_line &line, options &o)
{
	line.value("--record", o.record,
	    "of RECORD, a directory or file of stackrecord", "RECORD");
	line.value("--at", o.at, "of --record: at TIME, as 14:03; else the "
	    "last", "TIME", moment_error);
	line.value("--core", o.core,
	    "of FILE, a core file; \"-\": of standard input", "FILE");
	line.value("--sysroot", o.sysroot,
	    "of --core: the paths of its files begin in DIR", "DIR");
	line.values("--debug-dir", o.debug_dirs,
	    "of --record or --core: debug files are in DIR, too", "DIR",
	    nullptr);
}

void
describe_async(command_line &line, options &o, std::string &wait)
{
	line.flag("--async", wait,
	    "[=SECONDS] (1): user stacks by the threads themselves,\n"
	    "when they return to user space", duration);
	line.flag("--now", o.now, "with --async: wake those that sleep");
}

void
describe_machine(command_line &line, options &o)
{
	line.flag("--check", o.check,
	    "what this machine and these rights allow");
	line.value("--pin", o.pin,
	    "keep or reuse BPF programs in bpffs directory DIR", "DIR");
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
	    o.looks_again();
	o.all |= of_many && o.tids.empty() && o.pids.empty() &&
	    o.is_live() && !o.any_filter() && !o.check;
	if (const char *what = contradiction(o))
		return line.wrong(what);
	o.only_kernel |= o.procstat;
	return std::nullopt;
}

} // namespace stackprint
