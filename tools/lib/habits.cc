// Recognises what users of perf, bcc, bpftrace, py-spy, jstack, eu-stack and
// journalctl type first, by a table of words.
//
// Such a line is refused with the words that do what is meant.  That is better
// than an error about another word, and far better than an answer to another
// question: -d 5 of bcc's tools would be a delimiter and an event called 5.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "habits.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "time_text.h"

namespace tools {
namespace {

using words = std::vector<std::string_view>;

// Programs by a letter: stackCount, stackSnoop, stackPrint, stackRecord and
// stackreporT.  Words are separated by a blank.  In them # means a number, *
// any word, @ a time, and ! a word that does not name a picture, or no word at
// all.  A word of a long option fits --option=VALUE too.  In a sentence % is
// what #, * or @ was.
struct row {
	const char	*programs, *line, *instead;
};

constexpr row table[] = {
	// Words that had two meanings in our programs.
	{"p", "--from *", "--from is --record: --record %"},
	{"t", "--from *", "--from is --since: --since %"},
	{"t", "--to @", "--to names a server; a time is --until %"},
	{"t", "--load *", "--load is --to: --to %"},
	{"t", "--diff *", "--diff is --baseline: --baseline TIME,TIME"},
	{"t", "--stuck", "--stuck is --longest"},
	{"t", "--list", "--list is --segments"},
	{"r", "-o *", "-o is --record: --record %"},
	{"r", "--output *", "--output is --record: --record %"},
	// perf
	{"cs", "-g !", "stacks are always taken, so -g as in perf is not "
	    "needed; -g FILE.svg or FILE.html writes a flame graph"},
	{"cs", "-a", "everything is watched unless -p, -t, -C or a command "
	    "says otherwise, so -a is not needed; in place of -- sleep 60 "
	    "give -D 60"},
	{"r", "-a", "all threads are recorded unless -p or a filter says "
	    "otherwise, so -a is not needed"},
	{"rp", "-g", "stacks are always taken, so -g is not needed"},
	{"csrp", "--call-graph *", "no --call-graph is needed: user stacks "
	    "need no frame pointers"},
	{"cs", "-o perf.data", "perf.data is a format of perf's own; -o "
	    "FILE.folded, .pb.gz, .speedscope.json, .svg or .html"},
	{"cs", "-F max", "-F takes a number: -F 999"},
	{"t", "-i *", "the record is an argument: stackreport %"},
	{"t", "--stdio", "text is usual, so --stdio is not needed"},
	{"t", "-g", "stacks are always printed, so -g is not needed"},
	{"t", "--sort *", "the most frequent come first; -p, -t and --stack "
	    "choose"},
	{"r", "-c #", "-F HZ takes how often, -D SECONDS how long"},
	// bcc
	{"cs", "-d #", "-d prints -- between kernel and user frames; -D % "
	    "ends after % seconds"},
	{"cs", "-n #", "-n takes a thread's name; -c % ends after % events "
	    "(--comm=% names threads called %)"},
	{"cs", "-r #", "-r makes names regular expressions; -F % samples % "
	    "times a second"},
	{"cs", "-f collapsed", "collapsed stacks are -f folded"},
	{"c", "-f perf", "perf's own format is not written; -f folded, "
	    "pprof or speedscope"},
	{"cst", "-f flamegraph", "a flame graph is -f svg or -f html"},
	{"cst", "-f flame", "a flame graph is -f svg or -f html"},
	{"cst", "-f raw", "raw stacks are -f folded"},
	{"cs", "wall", "time on and off the CPU are two events: cpu-clock:99 "
	    "and offcpu; stackrecord and stackreport have both"},
	{"cs", "-p * #", "a number is not an event; -D % ends after % seconds"},
	{"cs", "#", "a number is not an event; -D % ends after % seconds, and "
	    "-F % samples % times a second"},
	{"cs", "offcputime", "the event is offcpu"},
	{"cs", "profile #", "the event is cpu-clock; -F HZ -D %"},
	// bpftrace
	{"csp", "-e *{*", "a program of bpftrace is not read here; the event "
	    "alone is, as t:sched:sched_switch or cpu-clock:99"},
	// py-spy, rbspy, jstack, pstack, eu-stack, gdb
	{"p", "dump", "no dump is needed: stackprint -p PID"},
	{"p", "top", "top is --top: stackprint --top -p PID"},
	{"p", "record", "stackcount -F 99 -g out.svg -p PID profiles, and "
	    "stackrecord keeps what all threads do"},
	{"p", "-n #", "-n takes a thread's name; --frames % prints at most % "
	    "frames, and --follow prints again each second (--comm=% names "
	    "threads called %)"},
	{"p", "--executable *", "programs are found by their process, -p PID, "
	    "or by what --core FILE says; --sysroot and --debug-dir say where"},
	{"p", "-e *", "events are stackcount's: stackcount %"},
	{"p", "-ex *", "commands of gdb's are not read: stackprint -l -p PID"},
	{"p", "-batch", "commands of gdb's are not read: stackprint -l -p PID"},
	{"p", "-s", "source lines are -l, and processes that it started are "
	    "--children"},
	{"p", "--source", "source lines are -l"},
	{"p", "-i", "inlined calls are -I"},
	{"p", "-m", "modules are always printed, so -m is not needed"},
	{"p", "-b", "build-ids are printed by -v"},
	{"p", "-d #", "--follow prints again each second, --follow=% each % "
	    "seconds"},
	{"p", "-1", "one thread is named by its tid: stackprint TID"},
	{"p", "-c #", "--follow prints again each second"},
	{"p", "-r #", "--follow prints again; stackcount -F % samples"},
	{"p", "-F", "no force is needed: no thread has to answer"},
	{"p", "--subprocesses", "processes that it started are --children"},
	{"p", "--locals", "variables are not read; gdb's bt full does"},
	{"p", "--nonblocking", "no thread is stopped unless --stop is given"},
	{"p", "--idle", "all threads are printed unless --state chooses"},
	{"p", "-D #", "--follow prints again each second until Ctrl-C; "
	    "stackcount -D % counts for % seconds"},
	{"p", "--duration *", "--follow prints again each second until Ctrl-C; "
	    "stackcount -D % counts for % seconds"},
};

bool
is_number(std::string_view s)
{
	return !s.empty() && s.find_first_not_of("0123456789.") == s.npos;
}

bool
is_picture(std::string_view s)
{
	for (const std::string_view end : {".svg", ".html", ".htm", ".gz"})
		if (s.size() > end.size() && s.ends_with(end))
			return true;
	return false;
}

// --option=VALUE is two words.
words
given(int argc, char **argv)
{
	words all;
	for (int i = 1; i < argc; i++) {
		const std::string_view word = argv[i];
		const auto equals = word.find('=');
		if (word.starts_with("--") && equals != word.npos) {
			all.push_back(word.substr(0, equals));
			all.push_back(word.substr(equals + 1));
		} else {
			all.push_back(word);
		}
	}
	return all;
}

bool
fits_word(std::string_view pattern, std::string_view word,
    std::string_view &what)
{
	std::int64_t unused;
	if (pattern == "#" ? is_number(word) : pattern == "@" ?
	    read_moment(std::string(word), unused) : pattern == "*") {
		what = word;
		return true;
	}
	if (pattern == "*{*")
		return word.find('{') != word.npos;
	return pattern == "!" ? !is_picture(word) : pattern == word;
}

// Returns true if the pattern begins at this word.  what: for % of the
// sentence.
bool
fits(std::string_view pattern, const words &line, std::size_t at,
    std::string_view &what)
{
	for (;; at++) {
		const auto end = pattern.find(' ');
		const auto word = pattern.substr(0, end);
		if (at == line.size())
			return word == "!";
		if (!fits_word(word, line[at], what))
			return false;
		if (end == pattern.npos)
			return true;
		pattern.remove_prefix(end + 1);
	}
}

std::string
sentence(std::string_view text, std::string_view what)
{
	std::string out;
	for (const char c : text)
		if (c == '%')
			out += what;
		else
			out += c;
	return out;
}

// The value of an option before is not a habit: -n top.
bool
is_value(const words &line, std::size_t at)
{
	return line[at][0] != '-' && at > 0 && line[at - 1][0] == '-';
}

} // namespace

std::string
habit(const std::string &program, int argc, char **argv)
{
	const char letter = program == "stackcount" ? 'c' :
	    program == "stacksnoop" ? 's' : program == "stackprint" ? 'p' :
	    program == "stackrecord" ? 'r' : 't';
	const words line = given(argc, argv);
	for (const row &r : table) {
		if (std::string_view(r.programs).find(letter) ==
		    std::string_view::npos)
			continue;
		for (std::size_t at = 0; at < line.size(); at++) {
			std::string_view what;
			if (!line[at].empty() && !is_value(line, at) &&
			    fits(r.line, line, at, what))
				return sentence(r.instead, what);
		}
	}
	return "";
}

} // namespace tools
