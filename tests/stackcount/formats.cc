// Tests the formats of stackcount(1) that are for other programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "programs.h"

using boost::unit_test::description;
using nlohmann::json;

BOOST_AUTO_TEST_SUITE(formats)

BOOST_AUTO_TEST_CASE(folded_is_a_line_a_stack,
    *description("-f folded: a line a stack, the outermost frame "
    "first; the last line goes to standard error"))
{
	const said s = stackcount({"--folded", "-k", "whole"});
	BOOST_TEST(s.out == "dying;do_exit 4\n"
	    "kworker/0:1;nft_do_chain;ep_poll;schedule 1\n"
	    "nginx;nft_do_chain;ep_poll;schedule 5\n");
	BOOST_TEST(has(s.err, "stackcount: 10 events: 10 kept, 4 stacks\n"));
	BOOST_TEST(stackcount({"-f", "folded", "-k", "whole"}).out == s.out);
}

BOOST_AUTO_TEST_CASE(folded_has_processes_and_delimiters,
    *description("-P, -d: in folded stacks, frames of their own"))
{
	const std::string all = stackcount({"--folded", "-Pd", "whole"}).out;
	BOOST_TEST(has(all, "nginx [5000000];main;ngx_worker_process_cycle;"
	    "ngx::process::events(int);epoll_wait;--;"
	    "nft_do_chain;ep_poll;schedule 2\n"));
}

BOOST_AUTO_TEST_CASE(folded_weighs_microseconds,
    *description("OUTPUT: of offcpu, the numbers are microseconds"))
{
	BOOST_TEST(stackcount({"--folded", "-k", "offcpu"}).out ==
	    "dying;do_exit 40\nnginx;nft_do_chain;ep_poll;schedule 1500\n");
}

BOOST_AUTO_TEST_CASE(wakers_are_joined,
    *description("In folded stacks and flame graphs the frames of the waker "
    "follow after -- from its innermost on, and then its name, as bcc's "
    "offwaketime has them."))
{
	BOOST_TEST(stackcount({"--folded", "-k", "--wakers", "offcpu"}).out ==
	    "dying;do_exit;--;schedule;ep_poll;nft_do_chain;[interrupt] 40\n"
	    "nginx;nft_do_chain;ep_poll;schedule;--;schedule;ep_poll;"
	    "nft_do_chain;kworker/0:1 1500\n");
	BOOST_TEST(has(stackcount({"-k", "--wakers", "offcpu"}).out,
	    "    kworker/0:1\n  nft_do_chain  [nf_tables]\n"));
	BOOST_TEST(has(stackcount({"-f", "svg", "--wakers", "offcpu"}).out,
	    "<title>kworker/0:1\nprocess"));
}

BOOST_AUTO_TEST_CASE(wakers_alone,
    *description("--wakers=only, --wakers=graph"))
{
	BOOST_TEST(stackcount({"--folded", "-k", "--wakers=only",
	    "offcpu"}).out == "[interrupt];nft_do_chain;ep_poll;schedule;"
	    "dying 40\nkworker/0:1;nft_do_chain;ep_poll;schedule;nginx "
	    "1500\n");
	const std::string graph = stackcount({"--wakers=graph", "-P",
	    "offcpu"}).out;
	BOOST_TEST(has(graph, "nginx [5000000]  1500 us, 1 event\n"
	    "  100.0 %          1500 us  kworker/0:1 ["));
	BOOST_TEST(has(graph, "  100.0 %            40 us  [interrupt], 2 "
	    "events\n"));
}

BOOST_AUTO_TEST_CASE(graphs_begin_with_processes,
    *description("-f: The outermost frame is the name of the process, in a "
    "flame graph and in speedscope too."))
{
	const scratch_file graph(".svg");
	const said text = stackcount({"-g", graph.path(), "whole"});
	for (const std::string &svg : {graph.text(),
		 stackcount({"-f", "svg", "whole"}).out,
		 stackcount({"-f", "html", "-k", "whole"}).out})
		for (const char *name : {"nginx", "dying", "kworker/0:1"}) {
			BOOST_TEST(has(svg, std::string("<title>") + name +
			    "\nprocess"), name);
			BOOST_TEST(!has(svg, std::string(name) + " ["));
		}
	BOOST_TEST(has(stackcount({"-f", "speedscope", "whole"}).out,
	    "{\"name\":\"kworker/0:1\"}"));
	BOOST_TEST(!has(text.out, "dying"));
	BOOST_TEST(has(stackcount({"-Pf", "svg", "whole"}).out,
	    "<title>nginx [5000000]\nprocess"));
}

BOOST_AUTO_TEST_CASE(graphs_say_where_they_are_from,
    *description("-f: Its title has the event and the host.  Below it are the "
    "command line and whose events were counted."))
{
	char host[256] = "";
	BOOST_REQUIRE(gethostname(host, sizeof host - 1) == 0);
	const std::string pid = std::to_string(getpid());
	const std::string svg = stackcount({"-f", "svg", "-p", pid, "-C", "1",
	    "whole"}).out;
	BOOST_TEST(has(svg, std::string("<title>whole on ") + host +
	    "</title>"));
	BOOST_TEST(has(svg, "/stackcount_fake -f svg -p " + pid + " -C 1 whole"
	    "  (pid " + pid + " (test_stackcount), cpu 1)"));
}

BOOST_AUTO_TEST_CASE(json_has_all_of_it,
    *description("-f json: one object"))
{
	const said s = stackcount({"--json", "-P", "whole"});
	const json all = json::parse(s.out);
	BOOST_TEST(all["event"] == "whole");
	BOOST_TEST(all["unit"] == "events");
	BOOST_TEST(all["total"]["events"] == 10);
	BOOST_TEST(all["note"] == "10 events: 10 kept, 4 stacks");
	BOOST_TEST(all["stacks"].size() == 4u);
	const json &most = all["stacks"].back();
	BOOST_TEST(most["events"] == 4);
	BOOST_TEST(most["pid"] == 5000000);
	const json &inner = all["frames"][most["frames"].back().get<int>()];
	BOOST_TEST(inner["name"] == "do_exit");
	BOOST_TEST(inner["kind"] == "kernel");
	BOOST_TEST(inner["offset"] == 0x100);
	BOOST_TEST(has(s.err, "10 events: 10 kept"));
}

BOOST_AUTO_TEST_CASE(json_in_intervals_is_an_object_each,
    *description("-i: The format has to be text, folded or json, with an "
    "object each time."))
{
	const said s = stackcount({"--json", "-i", "0.01", "-c", "3",
	    "growing"}, "");
	BOOST_TEST(times(s.out, "\"schema\":1") == 3u);
}

BOOST_AUTO_TEST_CASE(units_follow_the_event,
    *description("OUTPUT: of cpu-clock:HZ the events are samples, with their "
    "period; of offcpu they are microseconds"))
{
	const json clock = json::parse(
	    stackcount({"--json", "cpu-clock:100"}).out);
	BOOST_TEST(clock["unit"] == "samples");
	BOOST_TEST(clock["period_ns"] == 10000000);
	const json off = json::parse(stackcount({"--json", "offcpu"}).out);
	BOOST_TEST(off["unit"] == "microseconds");
	BOOST_TEST(off["total"]["weight"] == 1540);
	BOOST_TEST(off["total"]["events"] == 3);
}

BOOST_AUTO_TEST_CASE(others_are_what_they_say,
    *description("-f pprof, speedscope, svg, html"))
{
	const json speedscope = json::parse(
	    stackcount({"-f", "speedscope", "whole"}).out);
	BOOST_TEST(has(speedscope["$schema"].get<std::string>(), "speedscope"));
	const std::string svg = stackcount({"-f", "svg", "whole"}).out;
	BOOST_TEST(has(svg, "<svg"));
	BOOST_TEST(has(svg, "ngx_worker_process_cycle"));
	BOOST_TEST(has(stackcount({"-f", "html", "whole"}).out, "<html"));
	const std::string pprof = stackcount({"-f", "pprof", "whole"}).out;
	BOOST_TEST(has(pprof, "ngx_worker_process_cycle"));
	BOOST_TEST(!has(pprof, "10 events: 10 kept, 4 stacks\n"));
}

BOOST_AUTO_TEST_CASE(o_writes_a_file,
    *description("-o: Write to a file in place of standard output."))
{
	const scratch_file file(".txt");
	const said s = stackcount({"-o", file.path(), "whole"});
	BOOST_TEST(s.out == "");
	BOOST_TEST(s.status == 0);
	BOOST_TEST(file.text() == stackcount({"whole"}).out);
}

BOOST_AUTO_TEST_CASE(o_implies_the_format,
    *description("Without -f the end of its name gives the format: .folded, "
    ".json, .pb (pprof), .speedscope.json, .svg or .html; any other is text."))
{
	const std::pair<const char *, const char *> all[] = {
	    {".folded", "nginx;nft_do_chain"}, {".pb", "event: whole"},
	    {".speedscope.json", "\"sampled\""}, {".json", "\"schema\""},
	    {".svg", "<svg"}, {".html", "<html"}, {".htm", "<html"},
	    {".txt", "  nft_do_chain  [nf_tables]\n"},
	    {".x", "  nft_do_chain  [nf_tables]\n"}};
	for (const auto &[ending, part] : all) {
		const scratch_file file(ending);
		stackcount({"-k", "-o", file.path(), "whole"});
		BOOST_TEST(has(file.text(), part), ending << file.text());
	}
	const scratch_file svg(".svg");
	stackcount({"-o", svg.path(), "--folded", "whole"});
	BOOST_TEST(!has(svg.text(), "<svg"));
	const said s = stackcount({"-i", "1", "-o", svg.path(), "whole"});
	BOOST_TEST(s.status == 64);
}

BOOST_AUTO_TEST_CASE(two_profiles_are_compared,
    *description("--diff: Both were written earlier with -f folded or -f "
    "json."))
{
	const scratch_file one(".folded"), other(".json"), graph(".svg"),
	    nothing(".folded");
	stackcount({"-o", one.path(), "whole"});
	stackcount({"-o", other.path(), "-k", "odd"});
	const said s = stackcount({"-g", graph.path(), "--diff", one.path(),
	    other.path()}, "");
	BOOST_TEST(s.status == 0, s.err);
	BOOST_TEST(has(s.out, "own: before"), s.out);
	BOOST_TEST(has(s.out, "10 events before, 5 events after"), s.out);
	BOOST_TEST(has(graph.text(), "Difference of odd"));
	BOOST_TEST(stackcount({"--diff", one.path(), nothing.path()},
	    "").status == 2);
	BOOST_TEST(stackcount({"--diff", "/no/such", one.path()}, "").status ==
	    2);
}

BOOST_AUTO_TEST_CASE(gz_is_gzip, *description(
    "-o: A file whose name ends in .gz after that is compressed, as gzip(1) "
    "does."))
{
	const std::pair<const char *, const char *> all[] = {
	    {".pb", "event: whole"}, {".folded", "nginx;nft_do_chain"},
	    {".svg", "<svg"}, {".html", "<html"}, {".json", "\"schema\""},
	    {".speedscope.json", "\"sampled\""},
	    {".txt", "  nft_do_chain  [nf_tables]\n"}};
	for (const auto &[ending, part] : all) {
		const scratch_file file(std::string(ending) + ".gz"),
		    graph(".svg.gz");
		stackcount({"-k", "-o", file.path(), "-g", graph.path(),
		    "whole"});
		const said s = run({"/bin/sh", "-c", "gzip -dc " +
		    file.path()});
		BOOST_TEST(s.status == 0, s.err);
		BOOST_TEST(has(s.out, part), ending << s.out);
		// A text of one stack is too short to become shorter.
		BOOST_TEST((file.text().size() < s.out.size() ||
		    file.path().ends_with(".txt.gz")), ending);
		BOOST_TEST(has(run({"/bin/sh", "-c", "gzip -dc " +
		    graph.path()}).out, "<svg"));
	}
}

BOOST_AUTO_TEST_CASE(events_are_not_compressed, *description(
    "stacksnoop -o x.gz"))
{
	const scratch_file file(".json.gz");
	const said s = stacksnoop({"-o", file.path(), "whole"});
	BOOST_TEST(s.status == 64);
	BOOST_TEST(has(s.err, "| gzip > FILE"), s.err);
}

BOOST_AUTO_TEST_CASE(g_draws_besides,
    *description("-g: Write a flame graph as well, to a file whose name ends "
    "in .svg or .html."))
{
	const scratch_file svg(".svg"), html(".html");
	const said s = stackcount({"-g", svg.path(), "whole"});
	BOOST_TEST(s.out == stackcount({"whole"}).out);
	BOOST_TEST(has(svg.text(), "<svg"));
	BOOST_TEST(!has(svg.text(), "<html"));
	stackcount({"--graph", html.path(), "whole"});
	BOOST_TEST(has(html.text(), "<html"));
}

BOOST_AUTO_TEST_SUITE_END()
