// Adds the options that only stackcount has.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stackcount.h"

#include "tools/events/cli.h"
#include "tools/lib/thread_filter.h"
#include "tools/profiles/formats.h"
#include "tools/profiles/writers.h"
#include "tools/servers/address.h"

namespace stackcount {
namespace {

using events::command_line, events::options;

constexpr const char *usage =
    "usage: stackcount [-kKuUPdsvIlRrq] [-p pid [--children]] [-t tid]\n"
    "                  [-n name] [-C cpu]\n"
    "                  [--cgroup dir | --unit name | --container id]\n"
    "                  [-c n] [-D seconds]\n"
    "                  [-i seconds [--cumulative]] [-T n] [-m us] [-M us]\n"
    "                  [-f format] [-o file] [-g file] [--to url]\n"
    "                  [option ...] [-F hz] [event] [-- command ...]\n"
    "       stackcount --list [pattern]\n"
    "       stackcount [-T n] [-f format] [-o file] [-g file]\n"
    "                  --diff before after\n"
    "       stackcount -V | -h\n";

constexpr const char *no_kind = command_line::no_value;

std::string
profile_server_error(const std::string &url)
{
	servers::address a;
	const std::string why = servers::read_address(url, a);
	return why.empty() && a.kind == servers::service::clickhouse ?
	    "ClickHouse takes records of stackrecord: " + url : why;
}

std::string
wakers_kind(const std::string &s)
{
	return s == no_kind || s == "only" || s == "graph" ? std::string() :
	    "not \"only\" or \"graph\": " + s;
}

// Holds the options that are flags, not values.
struct flags {
	bool		folded = false, json = false;
	std::string	wakers;
};

void
describe(command_line &line, options &o, flags &f)
{
	line.flag("--per-process", o.by_process);
	line.flag("--folded", f.folded);
	line.flag("--json", f.json, ": as -f json");
	line.value("--graph", o.graph);
	line.value("--to", o.to, profile_server_error,
	    " otlp://HOST:PORT, pyroscope:// or\nparca://");
	line.value("--most", o.top, tools::decimal);
	line.seconds("--interval", o.interval);
	line.value("--diff", o.diff);
	line.flag("--cumulative", o.cumulative);
	line.value("--stacks", o.stacks, tools::decimal);
	line.flag("--wakers", f.wakers, wakers_kind);
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

// Servers separate processes by themselves.
std::optional<int>
parse_to(const command_line &line, options &o)
{
	if (!o.format.empty() || !o.file.empty() || !o.graph.empty() ||
	    !o.diff.empty() || o.list || o.cumulative)
		return line.wrong("--to goes without -f, -o, -g, --diff, "
		    "--list and --cumulative");
	o.format = "pprof";
	o.by_process = o.names_processes = true;
	return std::nullopt;
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
	events::describe_reporting(line, o, formats.c_str());
	describe(line, o, f);
	line.version_line(std::string("OTLP: ") + profiles::otlp_version);
	if (const auto status = events::parse(line, argc, argv, o))
		return status;
	if (f.folded + f.json + !o.format.empty() > 1)
		return line.wrong("give one format");
	if (f.folded || f.json)
		o.format = f.folded ? "folded" : "json";
	if (!f.wakers.empty())
		o.wakers = f.wakers == no_kind ? "" : f.wakers;
	if (o.wakers.has_value() && !o.is_offcpu())
		return line.wrong("--wakers goes with offcpu");
	if (!o.to.empty())
		return parse_to(line, o);
	if (o.format.empty())
		o.format = profiles::format_of(o.file);
	if (!profiles::is_format(o.format))
		return line.wrong(("-f: " + formats).c_str());
	o.names_processes = profiles::is_graph(o.format) || !o.graph.empty() ||
	    o.wakers.has_value();
	if (const char *what = format_contradiction(o))
		return line.wrong(what);
	return std::nullopt;
}

} // namespace stackcount
