// Describes the options of stackrecord.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <charconv>
#include <cstdlib>

#include "tools/lib/command_line.h"
#include "tools/lib/limits.h"
#include "tools/profiles/writers.h"
#include "tools/servers/address.h"

namespace stackrecord {
namespace {

using tools::command_line;

constexpr const char *usage =
    "usage: stackrecord [-kuq] [-F hz] [-D seconds] [-e event] [--waits]\n"
    "                   [--name-later] [--frames n] [--limits n]\n"
    "                   [--max-size bytes] [--max-age time] [--segment time]\n"
    "                   [-p pid [--children]] [-n name] [--state letters]\n"
    "                   [--cgroup dir] [--unit name] [--container id]\n"
    "                   [--to url] --record record\n"
    "       stackrecord -V | -h\n";

constexpr std::uint32_t deepest = 1024;

bool
is_fraction(const std::string &s)
{
	return !s.empty() && s != "." && s.find('.') == s.rfind('.') &&
	    s.find_first_not_of("0123456789.") == s.npos;
}

std::string
frequency(const std::string &s)
{
	const double value = std::strtod(s.c_str(), nullptr);
	return is_fraction(s) && value >= slowest && value <= fastest ?
	    std::string() : "not 0.01 to 100 times a second: " + s;
}

// 90, 90s, 10m, 12h or 7d.  False: the text is none of these.
bool
read_time(const std::string &s, std::uint64_t &to)
{
	const char *const end = s.data() + s.size();
	const auto [at, error] = std::from_chars(s.data(), end, to);
	if (error != std::errc() || to > 1'000'000'000)
		return false;
	const std::string unit(at, end);
	to *= unit == "m" ? 60 : unit == "h" ? 3600 : unit == "d" ? 86400 : 1;
	return unit.empty() || unit == "s" || unit == "m" || unit == "h" ||
	    unit == "d";
}

std::string
time_text(const std::string &s)
{
	std::uint64_t unused;
	return read_time(s, unused) ? std::string() :
	    "not a time, as 90s, 10m, 12h or 7d: " + s;
}

} // namespace

std::optional<int>
parse(int argc, char **argv, options &o)
{
	command_line line("stackrecord", "Record what all threads do, to be "
	    "asked later.", usage);
	line.version_line(std::string("OTLP: ") + profiles::otlp_version);
	line.value("--record", o.dir, nullptr, " the directory to write to");
	line.value("--to", o.to, servers::address_error,
	    " clickhouse://HOST:PORT/DATABASE,\notlp://HOST:PORT, pyroscope:// "
	    "or parca://");
	line.value("--frequency", o.hz, frequency, " (1)");
	line.seconds("--duration", o.duration);
	line.bytes("--max-size", o.max_size);
	line.value("--max-age", o.max_age, time_text);
	line.value("--segment", o.segment, time_text);
	tools::describe_processes(line, o);
	tools::describe_filters(line, o);
	line.flag("--kernel", o.only_kernel);
	line.flag("--user", o.only_user);
	line.flag("--waits", o.waits);
	line.values("--event", o.events, nullptr, ": record it, too");
	line.flag("--name-later", o.name_later);
	line.value("--frames", o.frames, tools::decimal, " (1024)");
	line.value("--limits", o.limits, tools::limits_error);
	line.flag("--quiet", o.quiet);
	if (const auto status = line.read(argc, argv))
		return status;
	read_time(o.max_age, o.max_age_s);
	read_time(o.segment, o.segment_s);
	if (o.dir.empty())
		return line.wrong("no directory is named: --record RECORD");
	if (o.children && o.pids.empty())
		return line.wrong("--children goes with -p");
	if (!o.events.empty() && !o.states.empty())
		return line.wrong("-e does not go with --state: an event is of "
		    "no state");
	if (o.frames > deepest)
		return line.wrong("--frames: more than 1024");
	if (o.segment_s == 0)
		return line.wrong("--segment: a segment takes a second at "
		    "least");
	return std::nullopt;
}

} // namespace stackrecord
