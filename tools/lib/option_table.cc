// Lists the options of the five programs: one name has one meaning.
//
// --help is made of these rows.  tests/man/options compares the pages and the
// completions with them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "option_table.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace tools {
namespace {

constexpr option_row all_options[] = {
	// The threads.
	{"pcst", "-t,--tid", "TID", "threads by their ids"},
	{"p", "-a,--all", "", "all threads of the machine"},
	{"pcsrt", "-p,--pid", "PID", "threads of process PID, or of several: "
	    "PID,PID"},
	{"pcsr", "--children", "",
	    "with -p: and of the processes that it started"},
	{"pcsrt", "-n,--comm", "NAME", "only threads called NAME"},
	{"prt", "--state", "LETTERS",
	    "only threads in these states, as D or RS"},
	{"pcsrt", "--cgroup", "DIR",
	    "only threads in cgroup DIR and those below it"},
	{"pcsrt", "--unit", "NAME", "only threads of systemd's unit NAME"},
	{"pcsrt", "--container", "ID", "only threads in the container with "
	    "this name, id or beginning of an id"},
	{"cs", "-C,--cpu", "CPU", "only on this CPU"},
	{"t", "--stack", "REGEX",
	    "only stacks with a function that matches REGEX"},
	{"t", "--on-cpu", "", "only threads that ran or waited for a CPU"},
	{"t", "--off-cpu", "", "only threads that could not run"},
	{"t", "--wait", "KIND", "only threads that waited for KIND, as mutex "
	    "or pipe, or in such a system call"},

	// The events.
	{"csrt", "-e,--event", "EVENT", "the event EVENT"},
	{"cs", "--list", "",
	    "list the events that EVENT matches, and watch none"},
	{"csr", "-F,--frequency", "HZ", "samples HZ times a second"},
	{"cs", "-r,--regex", "",
	    "names in EVENT are regular expressions, not patterns"},
	{"cs", "-c,--count", "N", "end after N events"},
	{"csr", "-D,--duration", "SECONDS", "end after SECONDS"},
	{"cs", "-m,--min-block", "US",
	    "offcpu: blocked at least US microseconds"},
	{"cs", "-M,--max-block", "US",
	    "offcpu: blocked at most US microseconds"},

	// The stacks.
	{"pcsrt", "-k,--kernel", "", "kernel stacks only"},
	{"pcsrt", "-u,--user", "", "user stacks only"},
	{"cs", "-K,--kernel-stacks-only", "", "as -k"},
	{"cs", "-U,--user-stacks-only", "", "as -u"},
	{"pcsr", "--frames", "N", "at most N frames of each stack"},
	{"cs", "--fp", "", "walk user stacks by frame pointers, in the kernel"},
	{"cs", "--copy", "",
	    "copy each user stack; walk none by learned rules"},
	{"cs", "--ring", "BYTES",
	    "the buffer between kernel and program, as 64M"},
	{"cs", "--rules", "BYTES",
	    "memory of the rules by which stacks are walked, as 64M"},
	{"c", "--stacks", "N",
	    "tables in the kernel for N stacks of each size (65536)"},
	{"p", "--no-goroutines", "",
	    "with -p: only threads, no goroutines that wait beside them"},
	{"pcs", "--native", "", "native frames only: the loops of interpreters "
	    "in place of what they run"},
	{"p", "--stop", "", "stop threads while they are copied, by ptrace(2)"},
	{"p", "--async", "=SECONDS",
	    "user stacks by the threads themselves, when they return\n"
	    "to user space within SECONDS (1)"},
	{"p", "--now", "", "with --async: wake those that sleep"},
	{"pcsr", "--limits", "N", "read N times as much of files and stacks as "
	    "usual, or \"none\""},

	// The names.
	{"pcs", "-I,--inlines", "", "inlined calls as frames of their own"},
	{"pcs", "-l,--lines", "", "source file and line"},
	{"pcst", "-R,--raw", "",
	    "names of the symbol table, not demangled"},
	{"pcs", "-v,--verbose", "", "raw addresses and whole paths"},
	{"cs", "-s,--offsets", "", "the distance from a function's start"},
	{"cs", "-d,--delimiter", "", "-- between kernel and user frames"},
	{"pcs", "--debuginfod", "",
	    "ask $DEBUGINFOD_URLS for what -I and -l need"},
	{"pt", "--debug-dir", "DIR", "name what a record or core has no name "
	    "for by the debug files in DIR, too"},
	{"p", "--core", "FILE", "of a core file; \"-\": of standard input"},
	{"p", "--dump", "FILE", "write a small core of a process"},
	{"t", "--crash", "FILE", "put names and lines into the report of a "
	    "crash, or into stacks as text"},
	{"p", "--sysroot", "DIR",
	    "of --core: the paths of its files begin in DIR"},
	{"r", "--name-later", "", "do not look for names in files: "
	    "stackreport does, by build-id"},

	// The waits.
	{"pr", "--waits", "",
	    "what each thread waits for, and who can end it"},
	{"p", "--no-waits", "",
	    "not what threads wait for, on a terminal too"},
	{"p", "--why", "",
	    "who waits for whom: roots and deadlocks, with their stacks"},
	{"c", "--wakers", "=only|graph",
	    "offcpu: with the stacks of who woke the thread;\n"
	    "those alone; or who waits for whom"},

	// Again and again.
	{"p", "--follow", "=SECONDS",
	    "again after SECONDS (1): only threads that have run"},
	{"p", "--changes", "",
	    "with --follow: only stacks that changed, and how"},
	{"p", "--stuck", "=SECONDS", "only threads that have not run "
	    "for SECONDS (1),\nwith their waits"},
	{"p", "--top", "",
	    "groups of equal stacks, live, on the whole terminal"},
	{"c", "-i,--interval", "SECONDS",
	    "print each SECONDS what came since the last"},
	{"c", "--cumulative", "", "with -i: what came since the beginning"},

	// The output.
	{"p", "--group", "",
	    "equal stacks once, with their number and thread ids"},
	{"p", "--no-group", "", "each thread for itself, on a terminal too"},
	{"p", "--procstat", "",
	    "kernel stacks in the columns of FreeBSD's procstat -kk"},
	{"cst", "-f,--format", "FORMAT", "the format:"},
	{"pcs", "--json", "", "JSON, for programs"},
	{"c", "--folded", "", "as -f folded"},
	{"cst", "-o,--output", "FILE",
	    "write to FILE, in the format that its name ends in"},
	{"c", "-g,--graph", "FILE",
	    "a flame graph too, to FILE.svg or FILE.html"},
	{"crt", "--to", "URL", "send what was seen to a server:"},
	{"c", "-P,--per-process", "", "count each process for itself"},
	{"ct", "-T,--most", "N", "the N most frequent only"},
	{"c", "--diff", "BEFORE",
	    "compare the profile BEFORE with the one in the argument"},
	{"csr", "-q,--quiet", "", "say nothing but what is wrong"},

	// The records.
	{"pr", "--record", "RECORD", "the record:"},
	{"p", "--at", "TIME",
	    "of --record: at TIME, as 14:03; without it the last"},
	{"r", "--max-size", "BYTES",
	    "delete the oldest files above so many bytes (1G); 0: none"},
	{"r", "--max-age", "TIME",
	    "delete files that are older, as 12h (7d); 0: none"},
	{"r", "--segment", "TIME", "begin another file after TIME (10m)"},
	{"t", "--since", "TIME",
	    "only what was recorded from TIME on, as 14:03 or -10m"},
	{"t", "--until", "TIME", "only what was recorded up to TIME"},
	{"t", "--baseline", "TIME",
	    "compare with the interval from TIME to TIME: TIME,TIME"},
	{"t", "--history", "", "what each thread did, in turn"},
	{"t", "--longest", "",
	    "which threads did not run for the longest times"},
	{"t", "--segments", "", "what the records have"},
	{"t", "--rows", "TABLE", "print the rows of the table samples or "
	    "stacks, a line of JSON each"},
	{"t", "--schema", "NAME",
	    "print the tables for clickhouse, or clickhouse:CLUSTER"},
	{"t", "--heat-map", "",
	    "a page to pick a range of time on, and to see its flame graph"},

	// The machine.
	{"p", "--check", "", "what this machine and these rights allow"},
	{"p", "--pin", "DIR",
	    "keep or reuse BPF programs in bpffs directory DIR"},
};

constexpr std::string_view
long_name(const option_row &r)
{
	const std::string_view names = r.names;
	return names[1] == '-' ? names : names.substr(names.find(',') + 1);
}

// A program looks for each of its options when it starts.
constexpr auto long_names = [] {
	std::array<std::string_view, std::size(all_options)> all;
	for (std::size_t i = 0; i < all.size(); i++)
		all[i] = long_name(all_options[i]);
	return all;
}();

constexpr char
letter(const option_row &r)
{
	return r.names[1] == '-' ? '\0' : r.names[1];
}

constexpr bool
one_name_has_one_row()
{
	for (const option_row &a : all_options)
		for (const option_row &b : all_options)
			if (&a != &b && (long_name(a) == long_name(b) ||
			    (letter(a) != '\0' && letter(a) == letter(b))))
				return false;
	return true;
}
static_assert(one_name_has_one_row());

constexpr char
letter_of(std::string_view program)
{
	return program == "stackreport" ? 't' : program[5];
}

} // namespace

const option_row &
option_of(std::string_view program, std::string_view name)
{
	for (std::size_t i = 0; i < long_names.size(); i++)
		if (const option_row &r = all_options[i];
		    long_names[i] == name && r.programs.find(
		    letter_of(program)) != r.programs.npos)
			return r;
	std::fprintf(stderr, "%.*s: %.*s is not in the table of options\n",
	    static_cast<int>(program.size()), program.data(),
	    static_cast<int>(name.size()), name.data());
	std::abort();
}

std::string_view
long_name_of(const option_row &r) noexcept
{
	return long_names[static_cast<std::size_t>(&r - all_options)];
}

char
letter_of(const option_row &r) noexcept
{
	return letter(r);
}

} // namespace tools
