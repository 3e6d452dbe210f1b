// Describes the options of stackreport.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include "expression.h"
#include "tools/lib/command_line.h"
#include "tools/profiles/formats.h"
#include "tools/profiles/writers.h"
#include "tools/servers/address.h"

namespace stackreport {
namespace {

using tools::command_line;

constexpr const char *usage =
    "usage: stackreport [-kuR] [--since time] [--until time]\n"
    "                   [--baseline time,time]\n"
    "                   [-p pid] [-t tid] [-n name] [--state letters]\n"
    "                   [--on-cpu | --off-cpu] [--wait kind] [-e event]\n"
    "                   [--cgroup dir] [--unit name] [--container id]\n"
    "                   [--stack regex] [-T n] [-f format] [-o file]\n"
    "                   [--debug-dir dir]\n"
    "                   [--history | --longest | --segments | --heat-map]\n"
    "                   dir | file ...\n"
    "       stackreport [--since time] [--until time] --to url dir | file ...\n"
    "       stackreport [--since time] [--until time] [-o file]\n"
    "                   --rows samples | stacks dir | file ...\n"
    "       stackreport --schema clickhouse[:cluster]\n"
    "       stackreport [-R] [--debug-dir dir] --crash file\n"
    "       stackreport -V | -h\n";

// The texts of the options that are more than text.
struct texts {
	std::string	from, to;
	std::vector<std::string> baseline;
};

std::string
schema_error(const std::string &s)
{
	const auto colon = s.find(':');
	const std::string cluster = colon == s.npos ? "x" : s.substr(colon + 1);
	return s.substr(0, colon) == "clickhouse" && !cluster.empty() &&
	    cluster.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == cluster.npos ?
	    std::string() : "not clickhouse or clickhouse:CLUSTER: " + s;
}

std::string
table_error(const std::string &s)
{
	return s == "samples" || s == "stacks" ? std::string() :
	    "not samples or stacks: " + s;
}

std::string
regex_error(const std::string &s)
{
	const std::string error = expression(s).error();
	return error.empty() ? "" : s + ": " + error;
}

void
describe_questions(command_line &line, options &o, texts &t)
{
	line.arguments("record", o.records,
	    "directories of stackrecord, and files");
	line.value("--since", t.from, tools::moment_error);
	line.value("--until", t.to, tools::moment_error);
	line.values("--baseline", t.baseline, tools::moment_error);
	line.values("--pid", o.pids, tools::decimal);
	line.values("--tid", o.tids, tools::decimal);
	tools::describe_filters(line, o);
	line.value("--stack", o.stack, regex_error);
	line.flag("--on-cpu", o.on_cpu);
	line.flag("--off-cpu", o.off_cpu);
	line.value("--wait", o.wait);
	line.value("--event", o.event, nullptr,
	    ": what was recorded of it, and no samples");
	line.flag("--history", o.history);
	line.flag("--longest", o.longest);
	line.flag("--segments", o.segments);
	line.value("--to", o.to, servers::address_error,
	    " clickhouse://HOST:PORT/DATABASE,\notlp://HOST:PORT, pyroscope:// "
	    "or parca://");
	line.value("--rows", o.rows, table_error);
	line.value("--schema", o.schema, schema_error);
	line.value("--crash", o.crash, nullptr, "; \"-\": standard input");
	line.flag("--heat-map", o.heat);
}

void
describe_output(command_line &line, options &o, const std::string &formats)
{
	line.flag("--kernel", o.only_kernel);
	line.flag("--user", o.only_user);
	line.values("--debug-dir", o.debug_dirs);
	line.flag("--raw", o.raw_names);
	line.value("--most", o.top, tools::decimal);
	line.value("--format", o.format, nullptr, " " + formats);
	line.value("--output", o.file);
}

const char *
crash_contradiction(const options &o)
{
	if (!o.records.empty() || !o.schema.empty() || !o.rows.empty() ||
	    !o.to.empty() || o.history || o.longest || o.segments || o.heat ||
	    o.before.has_value() || o.chooses_samples() || o.top != 0 ||
	    !o.file.empty() || o.format != "text")
		return "--crash goes with -R and --debug-dir only";
	return nullptr;
}

const char *
contradiction(const options &o)
{
	if (!o.crash.empty())
		return crash_contradiction(o);
	if (o.records.empty() == o.schema.empty())
		return o.schema.empty() ? "no record is named" :
		    "--schema goes alone";
	if (!o.to.empty() && (!o.file.empty() || !o.rows.empty()))
		return "--to goes without -o and --rows";
	if ((!o.to.empty() || !o.rows.empty()) && (o.history || o.longest ||
	    o.segments || o.heat || o.before.has_value() ||
	    o.chooses_samples()))
		return "--to and --rows take whole records: they go with "
		    "--since and --until only";
	if (o.history + o.longest + o.segments + o.heat +
	    o.before.has_value() > 1)
		return "give --history, --longest, --segments, --heat-map or "
		    "--baseline, one of them";
	if (o.heat && o.format != "html")
		return "--heat-map is html";
	if (o.on_cpu + o.off_cpu + !o.states.empty() > 1)
		return "give --on-cpu, --off-cpu or --state, one of them";
	if (!o.event.empty() && (o.on_cpu || o.off_cpu || o.history ||
	    o.longest || !o.states.empty() || !o.wait.empty()))
		return "--event goes with no state and no wait";
	if ((o.history || o.longest || o.segments) && o.format != "text")
		return "--history, --longest and --segments are text";
	if (o.before.has_value() && o.format != "text" &&
	    o.format != "folded" && o.format != "svg" && o.format != "html")
		return "--baseline goes with -f text, folded, svg or html";
	return nullptr;
}

} // namespace

std::optional<int>
parse(int argc, char **argv, options &o)
{
	texts t;
	const std::string formats = profiles::format_names();
	command_line line("stackreport",
	    "Ask what threads did, of the records of stackrecord.", usage);
	line.version_line(std::string("OTLP: ") + profiles::otlp_version);
	describe_questions(line, o, t);
	describe_output(line, o, formats);
	if (const auto status = line.read(argc, argv))
		return status;
	for (int i = 0; i < argc; i++)
		o.line.append(i == 0 ? "" : " ").append(argv[i]);
	if (!t.from.empty())
		tools::read_moment(t.from, o.when.from);
	if (!t.to.empty())
		tools::read_moment(t.to, o.when.to);
	if (t.baseline.size() == 2) {
		interval &before = o.before.emplace();
		tools::read_moment(t.baseline[0], before.from);
		tools::read_moment(t.baseline[1], before.to);
	} else if (!t.baseline.empty()) {
		return line.wrong("--baseline takes two times: TIME,TIME");
	}
	if (o.format.empty())
		o.format = o.heat ? "html" : profiles::format_of(o.file);
	if (!profiles::is_format(o.format))
		return line.wrong(("-f: " + formats).c_str());
	if (const char *what = contradiction(o))
		return line.wrong(what);
	// Most threads sleep all the time, and would be most of each cell.
	o.on_cpu |= o.heat && !o.off_cpu && o.states.empty() &&
	    o.wait.empty() && o.event.empty();
	return std::nullopt;
}

} // namespace stackreport
