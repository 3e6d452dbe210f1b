// Adds the options that only stackcount has.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stackcount.h"

#include "tools/events/cli.h"
#include "tools/profiles/formats.h"

namespace stackcount {
namespace {

using events::command_line, events::options;

constexpr const char *usage =
    "usage: stackcount [-kKuUPdsvIlRrq] [-p pid] [-t tid] [-n comm] [-C cpu]\n"
    "                  [--cgroup dir | --unit name | --container id]\n"
    "                  [-c events] [-D seconds]\n"
    "                  [-i seconds [--cumulative]] [-T n] [-m us] [-M us]\n"
    "                  [-f format] [-o file] [-g file] [option ...]\n"
    "                  [-F hz] [event] [-- command ...]\n"
    "       stackcount --list [pattern]\n"
    "       stackcount [-T n] [-f format] [-o file] [-g file]\n"
    "                  --diff before after\n"
    "       stackcount -V | -h\n";

constexpr const char *no_kind = command_line::no_value;

std::string
stackid_kind(const std::string &s)
{
	return s == no_kind || s == "fast" || s == "reuse" ? std::string() :
	    "not \"fast\" or \"reuse\": " + s;
}

// Holds the options that are flags, not values.
struct flags {
	bool		folded = false, json = false;
	std::string	stackid;
};

void
describe(command_line &line, options &o, flags &f)
{
	line.flag("-P,--per-process", o.by_process,
	    "count each process for itself");
	line.flag("--folded", f.folded, "as -f folded");
	line.flag("--json", f.json, "as -f json");
	line.value("-g,--graph", o.graph,
	    "a flame graph too, to FILE.svg or FILE.html", "FILE");
	line.value("-T,--most", o.top, "the N most frequent only", "N",
	    events::positive);
	line.value("-i,--interval", o.interval,
	    "print each SECONDS what came since the last", "SECONDS",
	    events::seconds);
	line.value("--diff", o.diff,
	    "compare FILE with another, both recorded before", "FILE");
	line.flag("--cumulative", o.cumulative,
	    "with -i: what came since the beginning");
	line.value("--stacks", o.stacks,
	    "tables in the kernel for N stacks of each size (65536)", "N",
	    events::positive);
	line.flag("--stackid", f.stackid,
	    "[=fast|reuse]: count by the kernel's own map of stacks,\n"
	    "which loses those that collide", stackid_kind);
}

const char *
format_contradiction(const options &o)
{
	if (o.interval > 0 && o.format != "text" && o.format != "folded" &&
	    o.format != "json")
		return "-i goes with -f text, folded or json";
	if (!o.diff.empty() && (o.list || !o.command.empty() ||
	    (o.format != "text" && o.format != "folded" && o.format != "svg" &&
	    o.format != "html")))
		return "--diff takes two files; -f is text, folded, svg or "
		    "html";
	if (o.cumulative && o.interval <= 0)
		return "--cumulative goes with -i";
	if (!o.graph.empty() && profiles::graph_format(o.graph).empty())
		return "-g: the file's name ends in neither .svg nor .html";
	return nullptr;
}

} // namespace

std::optional<int>
parse(int argc, char **argv, options &o)
{
	flags f;
	o.program = "stackcount";
	const std::string formats = profiles::format_names();
	command_line line(o.program, "Count the stacks that lead to an event.",
	    usage);
	events::describe_events(line, o);
	events::describe_stacks(line, o);
	events::describe_telling(line, o, formats.c_str());
	describe(line, o, f);
	if (const auto status = events::parse(line, argc, argv, o))
		return status;
	if (f.folded + f.json + !o.format.empty() > 1)
		return line.wrong("give one format");
	if (f.folded || f.json)
		o.format = f.folded ? "folded" : "json";
	if (o.format.empty())
		o.format = profiles::format_of(o.file);
	if (!f.stackid.empty())
		o.stackid = f.stackid == no_kind ? "" : f.stackid;
	if (!profiles::is_format(o.format))
		return line.wrong(("-f: " + formats).c_str());
	o.names_processes = profiles::is_graph(o.format) || !o.graph.empty();
	if (const char *what = format_contradiction(o))
		return line.wrong(what);
	return std::nullopt;
}

} // namespace stackcount
