// Tests profile.proto, as go tool pprof reads it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <regex>
#include <sstream>

#include "model.h"
#include "programs.h"
#include "require.h"
#include "tools/profiles/writers.h"

using boost::unit_test::description;

namespace {

// Many blanks as one, so that columns may move.
std::string
squeezed(const std::string &text)
{
	std::string out;
	for (const char c : text)
		if (c != ' ' || out.empty() || out.back() != ' ')
			out += c;
	return out;
}

std::string
go_pprof(const profiles::profile &p, std::vector<std::string> options)
{
	// Go 1.25 and later build pprof at its first use, into that directory.
	// This takes minutes of CPU.
	static const scratch home;
	std::vector<std::string> command = {path_of("go"), "tool", "pprof"};
	command.insert(command.end(), options.begin(), options.end());
	command.push_back(home.file("profile.pb", profiles::pprof(p)));
	const said s = run_within(600, home, command);
	BOOST_TEST(s.status == 0, s.err);
	return squeezed(s.out);
}

void
check_has(const std::string &text, const std::string &part)
{
	BOOST_TEST(has(text, part), part << "\nis not in\n" << text);
}

// Later releases write the column, and the linker's name.
std::string
raw_of(const profiles::profile &p)
{
	static const std::regex later(":([0-9]+):[0-9]+ s=([0-9]+)"
	    "\\([^)]*\\)");
	return std::regex_replace(go_pprof(p, {"-raw"}), later, ":$1 s=$2");
}

} // namespace

BOOST_AUTO_TEST_SUITE(pprof)

BOOST_AUTO_TEST_CASE(raw, *installed("go") *description("events and weight, "
    "labels comm and pid, inlined functions in their location, mappings with "
    "build ids"))
{
	const std::string text = raw_of(small());
	check_has(text, "Time: 2026-09-21");
	check_has(text, "Duration: 2.5");
	check_has(text, "events/count weight/microseconds");
	check_has(text, " 4 50: 1 2 \n");
	check_has(text, " 5 20: 3 2 \n");
	check_has(text, "comm:[nginx]");
	check_has(text, "pid:[17]");
	check_has(text, "3: 0x401010 M=1 scan scan.c:42 s=0");
	check_has(text, "\n parse parse.c:42 s=0");
	check_has(text, "M=2 ksys_write");
	check_has(text, "/usr/sbin/nginx abcdef0123456789 [FN][FL][LN][IN]");
	check_has(text, "vmlinux [FN]");
	BOOST_TEST(!has(text, " -- "));
}

BOOST_AUTO_TEST_CASE(top, *installed("go") *description("what is most"))
{
	const std::string text = go_pprof(small(), {"-top"});
	check_has(text, "50us 50.00% 50.00% 70us 70.00% parse");
	check_has(text, "20us 20.00% 70.00% 20us 20.00% idle");
	check_has(text, "20us 20.00% 90.00% 20us 20.00% scan (inline)");
	check_has(text, "80us 80.00% main");
	const std::string events = go_pprof(small(), {"-top",
	    "-sample_index=events"});
	check_has(events, "10 50.00% 50.00% 10 50.00% ksys_write");
	check_has(go_pprof(small(), {"-comments"}), "event: offcpu");
}

BOOST_AUTO_TEST_CASE(sampled, *installed("go") *description("samples at a "
    "frequency are time, too"))
{
	profiles::profile p = small();
	p.unit = "samples";
	p.period_ns = 10000000;
	const std::string text = go_pprof(p, {"-raw"});
	check_has(text, "PeriodType: time nanoseconds");
	check_has(text, "Period: 10000000");
	check_has(text, "samples/count time/nanoseconds");
	check_has(text, " 4 40000000: ");
}

BOOST_AUTO_TEST_CASE(counted, *installed("go") *description("where events are "
    "what is counted, there is no second number"))
{
	profiles::profile p = small();
	p.unit = "events";
	check_has(go_pprof(p, {"-raw"}), "events/count\n 4: 1 2 ");
}

BOOST_AUTO_TEST_CASE(any_name, *installed("go") *description("any name"))
{
	const std::string text = go_pprof(nasty(), {"-top", "-nodecount=100000",
	    "-nodefraction=0"});
	check_has(text, "a<b>& \"c\" 'd'");
	check_has(text, "\xef\xbf\xbd not UTF-8");
	check_has(text, "operator[]");
	go_pprof(profiles::profile(), {"-raw"});
}

BOOST_AUTO_TEST_CASE(nameless, *installed("go") *description("a frame without "
    "a name is its address"))
{
	profiles::profile p;
	p.unit = "events";
	profiles::frame &f = p.frames.emplace_back();
	f.name = "0x7f00deadbeef";
	f.address = 0x7f00deadbeef;
	f.module = "[heap]";
	p.stacks.push_back({{0}, "", 0, 3, 3});
	check_has(go_pprof(p, {"-raw"}), "1: 0x7f00deadbeef M=1");
	check_has(go_pprof(p, {"-top"}), "3 100% 100% 3 100% ");
}

BOOST_AUTO_TEST_CASE(many_stacks, *installed("go") *description("stacks by "
    "the thousand"))
{
	const auto p = many(static_cast<unsigned int>(rounds(64000, 8000)));
	check_has(go_pprof(p, {"-top", "-sample_index=samples",
	    "-nodecount=5"}), "1000000 total");
}

BOOST_AUTO_TEST_SUITE_END()
