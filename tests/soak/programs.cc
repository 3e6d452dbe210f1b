// Looks at a program by stackprint, and judges each of its lines.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "programs.h"

#include <iterator>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "child.h"

namespace soak {
namespace {

using nlohmann::json;

struct way {
	const char	*name;
	std::vector<std::string> options;
};

const way by_program[] = {
	{"--why", {"--why"}},
	{"--why -k", {"--why", "-k"}},
	{"--why -u", {"--why", "-u"}},
	{"--waits", {"--waits"}},
	{"-u", {"-u"}},
	{"--stop", {"--stop"}},
	{"--async", {"--async=0.2"}},
};

std::uint64_t
number_of(const json &text)
{
	return std::stoull(text.get<std::string>(), nullptr, 0);
}

said_wait
wait_of(const json &thread)
{
	const json &w = thread["wait"];
	said_wait t;
	t.tid = thread["tid"];
	t.pid = thread["pid"];
	t.kind = w["kind"];
	t.address = w.contains("address") ? number_of(w["address"]) : 0;
	t.object = w.value("object", "");
	t.reason = w.value("reason", "");
	t.moved = w.value("moved", false);
	for (const json &h : w["holders"])
		t.holders.push_back({h["tid"], h["pid"]});
	return t;
}

reported_stack
stack_of(const json &thread)
{
	const json &s = thread["user"];
	reported_stack t;
	t.tid = thread["tid"];
	t.complete = s.value("complete", false);
	for (const json &f : s["frames"])
		if (f.contains("pc"))
			t.pcs.push_back(number_of(f["pc"]));
	return t;
}

// As "mutex 0x5581 (cache_lock of server)".
std::uint64_t
address_in(const std::string &text)
{
	const auto at = text.find("0x");
	return at == text.npos ? 0 : std::stoull(text.substr(at), nullptr, 0);
}

void
judge_line(judge &j, const json &o, span s, bool &deadlock)
{
	if (o.contains("cycle")) {
		const std::string title = o["title"];
		const bool sure = title.starts_with("deadlock");
		deadlock = deadlock || sure;
		j.of_circle(o["cycle"], sure, s);
	} else if (o.contains("contended")) {
		const std::uint64_t at = address_in(o["contended"]);
		for (const json &h : o["holders"])
			j.of_holder(at, o["pid"], h["tid"], s);
	}
	if (o.contains("wait"))
		j.of_wait(wait_of(o), s);
	if (o.contains("user") && o["user"].is_object())
		j.of_stack(stack_of(o), s);
}

} // namespace

unsigned int
program_ways()
{
	return std::size(by_program);
}

void
look_by_program(unsigned int n, ledger &l, const std::vector<pid_t> &pids,
    tally &t)
{
	const way &w = by_program[n];
	judge j(l, t, w.name);
	std::vector<std::string> command{STACKPRINT, "--json", "--frames",
	    "2048", "-p", fmt::format("{}", fmt::join(pids, ","))};
	command.insert(command.end(), w.options.begin(), w.options.end());
	span s{now_ns(), 0};
	const said told = run(command);
	s.end = now_ns();
	bool deadlock = false;
	std::istringstream lines(told.out);
	t.count("runs of stackprint");
	for (std::string line; std::getline(lines, line);) {
		const json o = json::parse(line, nullptr, false);
		if (o.is_discarded())
			t.fault(fmt::format("{}: no JSON: {}", w.name, line));
		else
			judge_line(j, o, s, deadlock);
	}
	if (told.out.empty())
		t.fault(fmt::format("{}: status {}: {}", w.name, told.status,
		    told.err));
	if (w.options[0] == "--why" && (w.options.size() == 1 ||
	    w.options[1] != "-k"))
		j.of_circles_reported(deadlock, s);
}

} // namespace soak
