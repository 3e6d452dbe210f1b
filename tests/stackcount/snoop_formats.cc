// Tests the JSON and perf's text that stacksnoop(1) writes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <sstream>

#include <nlohmann/json.hpp>

#include "programs.h"

using boost::unit_test::description;
using nlohmann::json;

namespace {

std::vector<json>
lines(const std::string &text)
{
	std::vector<json> all;
	std::istringstream in(text);
	for (std::string line; std::getline(in, line);)
		all.push_back(json::parse(line));
	return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(snoop_formats)

BOOST_AUTO_TEST_CASE(json_is_an_object_a_line,
    *description("JSON: an event: schema, when_ns, tid, pid, comm, cpu, "
    "event, kernel, user; the last line is the tally"))
{
	const auto all = lines(stacksnoop({"--json", "whole"}).out);
	BOOST_REQUIRE(all.size() == 11u);
	const json &e = all[0];
	BOOST_TEST(e["schema"] == 1);
	BOOST_TEST(e["when_ns"] == 1123456789);
	BOOST_TEST(e["tid"] == 5000001);
	BOOST_TEST(e["pid"] == 5000000);
	BOOST_TEST(e["comm"] == "nginx");
	BOOST_TEST(e["cpu"] == 1);
	BOOST_TEST(e["event"] == "whole");
	BOOST_TEST(e["kernel"]["complete"] == true);
	BOOST_TEST(e["kernel"]["why"] == "complete");
	BOOST_TEST(e["kernel"]["frames"][2]["module"] == "nf_tables");
	BOOST_TEST(all[10]["tally"]["events"] == 10);
	BOOST_TEST(all[10]["tally"]["kept"] == 10);
}

BOOST_AUTO_TEST_CASE(json_frames_have_what_is_known,
    *description("JSON: a frame: pc, name, offset, demangled, module, path, "
    "build_id, vaddr, file, line, inlined"))
{
	const auto all = lines(stacksnoop(
	    {"--json", "--inlines", "--lines", "whole"}).out);
	const json &frames = all[0]["user"]["frames"];
	BOOST_REQUIRE(frames.size() == 5u);
	BOOST_TEST(frames[1]["inlined"] == true);
	BOOST_TEST(frames[1]["demangled"] == "ngx::step()");
	const json &f = frames[2];
	BOOST_TEST(f["pc"] == "0x55555555704d");
	BOOST_TEST(f["vaddr"] == "0x304d");
	BOOST_TEST(f["name"] == "_ZN3ngx7process6eventsEi");
	BOOST_TEST(f["demangled"] == "ngx::process::events(int)");
	BOOST_TEST(f["offset"] == 0x4d);
	BOOST_TEST(f["module"] == "nginx");
	BOOST_TEST(f["path"] == "/usr/sbin/nginx");
	BOOST_TEST(f["file"] == "/src/events.cc");
	BOOST_TEST(f["line"] == 800);
}

BOOST_AUTO_TEST_CASE(json_says_why_a_stack_is_not_whole,
    *description("JSON: complete, why and reason, as stackprint has them; "
    "what has no name has no name"))
{
	const auto all = lines(stacksnoop({"-f", "json", "odd"}).out);
	BOOST_TEST(all[0]["user"]["why"] == "truncated");
	BOOST_TEST(all[0]["user"]["dropped"] == 7);
	BOOST_TEST(all[0]["user"]["frames"].size() == 4u);
	BOOST_TEST(!all[1]["kernel"]["frames"][0].contains("name"));
	BOOST_TEST(!all[1]["user"]["frames"][2].contains("vaddr"));
	BOOST_TEST(all[3]["kernel"]["why"] == "user_mode");
	BOOST_TEST(all[4]["user"]["reason"] == "ptrace(2) was refused");
}

BOOST_AUTO_TEST_CASE(json_reports_losses_and_times,
    *description("JSON: Events that were lost are an object with schema and "
    "lost, their number."))
{
	const auto all = lines(stacksnoop({"--json", "whole"},
	    "interrupt dropping losing").out);
	BOOST_TEST(all[1]["lost"] == 12);
	BOOST_TEST(all[11]["tally"]["no_room"] == 1);
	BOOST_TEST(all[11]["tally"]["skipped"] == 5);
	BOOST_TEST(lines(stacksnoop({"--json", "offcpu"}).out)[0]["blocked_ns"]
	    == 1500000);
}

BOOST_AUTO_TEST_CASE(perf_is_what_perf_script_writes,
    *description("-f perf: as perf script writes it; the last line "
    "goes to standard error, losses are comments"))
{
	const said s = stacksnoop({"-f", "perf", "whole"},
	    "interrupt dropping");
	const char *begin =
	    "nginx 5000000/5000001 [001] 1.123456: whole:\n"
	    "\tffffffff81000010 schedule+0x10 ([kernel.kallsyms])\n"
	    "\tffffffff8100131e ep_poll+0x31e ([kernel.kallsyms])\n"
	    "\tffffffffc00000a0 nft_do_chain+0xa0 ([nf_tables])\n"
	    "\t    7ffff7a0805e epoll_wait+0x5e (/usr/lib/libc.so.6)\n"
	    "\t    55555555704d ngx::process::events(int)+0x4d "
	    "(/usr/sbin/nginx)\n"
	    "\t    55555555608b ngx_worker_process_cycle+0x8b "
	    "(/usr/sbin/nginx)\n"
	    "\t    5555555559c5 main+0x9c5 (/usr/sbin/nginx)\n"
	    "\n"
	    "# [12 events lost here]\n"
	    "nginx ";
	BOOST_TEST(s.out.substr(0, std::string(begin).size()) == begin);
	BOOST_TEST(!has(s.out, "kept"));
	BOOST_TEST(has(s.err, "stacksnoop: 10 events: 10 kept\n"));
}

BOOST_AUTO_TEST_CASE(perf_has_periods_and_unknown_names,
    *description("-f perf: of offcpu the nanoseconds are the "
    "period; what has no name is [unknown]"))
{
	BOOST_TEST(has(stacksnoop({"-f", "perf", "offcpu"}).out,
	    " 1.123456: 1500000 offcpu:\n"));
	const std::string odd = stacksnoop({"-f", "perf", "odd"}).out;
	BOOST_TEST(has(odd, "\tffffffff90000000 [unknown] ("));
	BOOST_TEST(has(odd, "\t    55555555d123 [unknown] (/usr/sbin/nginx)"));
	BOOST_TEST(has(odd, "\t    7fff00000040 [unknown] ([unknown])\n"));
	BOOST_TEST(has(odd, " [user stack truncated] ([unknown])\n"));
}

BOOST_AUTO_TEST_CASE(o_writes_a_file,
    *description("-o: Write to a file in place of standard output."))
{
	const scratch_file file(".txt");
	const said s = stacksnoop({"-o", file.path(), "whole"});
	BOOST_TEST(s.out == "");
	BOOST_TEST(file.text() == stacksnoop({"whole"}).out);
}

BOOST_AUTO_TEST_SUITE_END()
