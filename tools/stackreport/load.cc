// Sends the files one by one, and says how much the server took.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "tools/lib/command_line.h"
#include "tools/lib/say.h"
#include "tools/lib/text.h"
#include "tools/record/named_later.h"
#include "tools/record/records.h"
#include "tools/servers/json_rows.h"
#include "tools/servers/secrets.h"
#include "tools/servers/uploader.h"

namespace stackreport {
namespace {

using tools::amount;

constexpr std::chrono::seconds patience{30};

void
say(const std::string &text)
{
	tools::say("stackreport", text);
}

} // namespace

int
load(const options &o)
{
	servers::address to;
	servers::read_address(o.to, to);
	std::signal(SIGPIPE, SIG_IGN);	// TLS that is cut
	servers::uploader up(to, patience);
	if (const std::string why = up.open(); !why.empty()) {
		say(to.text() + ": " + why);
		return tools::exit_none;
	}
	if (const std::string what = servers::exposed_secrets(to);
	    !what.empty())
		say(to.text() + ": " + what);
	up.only_within(o.when);
	tools::later_names names(o.debug_dirs);
	recording::reading r;
	recording::name_later(r, names);
	const bool good = recording::read_records(o.records, o.when, up, r);
	for (const std::string &each : r.complaints)
		say(tools::printable(each));
	if (up.failed())
		say(fmt::format("{}: {}{}", to.text(), up.complaint(),
		    up.sent() == 0 ? "" : "; what was sent before counts once "
		    "if it is loaded again"));
	if (up.refused() != 0)
		say(to.text() + ": " + up.rejection());
	say(fmt::format("{} in {} sent to {}", amount(up.samples(), "sample"),
	    amount(up.sent(), "minute"), to.text()));
	if (up.failed() || up.refused() != 0)
		return tools::exit_output;
	return up.sent() == 0 ? tools::exit_none :
	    good && r.complaints.empty() ? tools::exit_complete :
	    int{tools::exit_partial};
}

int
print_rows(const options &o)
{
	std::FILE *const out = o.file.empty() ? stdout :
	    std::fopen(o.file.c_str(), "we");
	tools::later_names names(o.debug_dirs);
	recording::reading r;
	recording::name_later(r, names);
	std::uint64_t lines = 0;
	bool good = out != nullptr, whole = false;
	if (good) {
		servers::json_rows rows(o.rows == "stacks", o.when, out);
		whole = recording::read_records(o.records, o.when, rows, r);
		lines = rows.lines();
		good = std::ferror(out) == 0 && (out == stdout ?
		    std::fflush(out) : std::fclose(out)) == 0;
	}
	for (const std::string &each : r.complaints)
		say(tools::printable(each));
	if (!good) {
		if (errno != EPIPE)
			say(fmt::format("{}: {}", o.file.empty() ?
			    "standard output" : tools::printable(o.file),
			    std::strerror(errno)));
		return tools::exit_output;
	}
	return lines == 0 ? tools::exit_none : whole &&
	    r.complaints.empty() ? tools::exit_complete :
	    int{tools::exit_partial};
}

int
print_schema(const options &o)
{
	const auto colon = o.schema.find(':');
	const std::string text = servers::clickhouse_schema(
	    colon == o.schema.npos ? "" : o.schema.substr(colon + 1));
	return std::fputs(text.c_str(), stdout) >= 0 &&
	    std::fflush(stdout) == 0 ? tools::exit_complete :
	    int{tools::exit_output};
}

} // namespace stackreport
