// Tests the flame graph as a file: well-formed, complete, on its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "model.h"
#include "programs.h"
#include "tools/profiles/text.h"
#include "tools/profiles/writers.h"

using boost::unit_test::description;

namespace {

// The answer of an XPath expression about it; it has to be well-formed.
std::string
asked(const std::string &svg, const std::string &expression)
{
	const scratch home;
	const said s = run_within(60, home, {path_of("xmllint"), "--huge",
	    "--nonet", "--xpath", expression, home.file("graph.svg", svg)});
	BOOST_TEST(s.status == 0, s.err);
	return s.out.substr(0, s.out.find_last_not_of('\n') + 1);
}

// The title of the frame whose first line of it is this.
std::string
title(const std::string &svg, const std::string &name)
{
	return asked(svg, "string(//*[@data-f]/*[local-name()='title']"
	    "[starts-with(., '" + name + "\n')])");
}

} // namespace

BOOST_AUTO_TEST_SUITE(svg)

BOOST_AUTO_TEST_CASE(frames, *installed("xmllint") *description("a rectangle "
    "for each frame, as wide as its part; name, module, count and percentage "
    "as its title"))
{
	const std::string graph = profiles::flame_graph(small());
	BOOST_TEST(asked(graph, "count(//*[@data-f]/*[local-name()='rect'])") ==
	    "9");
	BOOST_TEST(title(graph, "parse") == "parse\nuser (/usr/sbin/nginx)\n"
	    "70 microseconds in 9 events, 70.00 %");
	BOOST_TEST(title(graph, "ksys_write") == "ksys_write\nkernel (vmlinux)"
	    "\n10 microseconds in 10 events, 10.00 %");
	BOOST_TEST(title(graph, "all") ==
	    "all\n\n100 microseconds in 20 events, 100.00 %");
	const std::string rect =
	    "//*[@data-f='20 70 3']/*[local-name()='rect']";
	BOOST_TEST(asked(graph, "string(" + rect + "/@width)") == "825.50");
	BOOST_TEST(asked(graph, "string(" + rect + "/@x)") == "246.00");
	const std::string text = asked(graph, "string(/)");
	for (const char *said : {"offcpu", "100 microseconds in 20 events, "
		 "4 stacks, 2.5 s, 2026-09-21 14:13:20 UTC", "0 not kept"})
		BOOST_TEST(has(text, said), said);
}

BOOST_AUTO_TEST_CASE(origin, *installed("xmllint") *description("-f: Its title "
    "has the event and the host.  Below it are the command line and whose "
    "events were counted."))
{
	profiles::profile p = small();
	p.host = "web<1>";
	p.command = "stackcount -p 17 offcpu";
	p.filter = "pid 17 (nginx)";
	const std::string graph = profiles::flame_graph(p);
	BOOST_TEST(asked(graph, "string(/*/*[local-name()='title'])") ==
	    "offcpu on web<1>");
	const std::string text = asked(graph, "string(/)");
	BOOST_TEST(has(text, "offcpu on web<1>\n"
	    "stackcount -p 17 offcpu  (pid 17 (nginx))\n"));
	BOOST_TEST(has(profiles::flame_graph_html(p),
	    "<title>offcpu on web&lt;1&gt;</title>"));
}

BOOST_AUTO_TEST_CASE(colours, *installed("xmllint") *description("a colour by "
    "kind and name, the same in every graph"))
{
	const auto colour = [](const profiles::profile &p,
	    const std::string &name) {
		return asked(profiles::flame_graph(p), "string(//*[@data-f]"
		    "[starts-with(., '" + name + "\n')]/*[local-name()='rect']"
		    "/@class)");
	};
	profiles::profile other;
	other.unit = "events";
	add_stack(other, {"u:x", "u:parse", "k:parse"}, 1, 1);
	BOOST_TEST(colour(small(), "parse") == colour(other, "parse"));
	BOOST_TEST(has(colour(small(), "parse"), "user"));
	BOOST_TEST(has(colour(small(), "scan"), "inlined"));
	BOOST_TEST(has(colour(small(), "ksys_write"), "kernel"));
	BOOST_TEST(colour(small(), "nginx") == "process");
}

// The words of languages are those of the folders that know them.
BOOST_AUTO_TEST_CASE(languages_have_their_colours, *installed("xmllint")
    * description("-f: Functions of each language have colours of their own."))
{
	profiles::profile p;
	p.unit = "events";
	add_stack(p, {"u:main", "u:reserve", "u:odd"}, 1, 1);
	p.frames[1].kind = p.frames[2].kind = profiles::frame_kind::language;
	p.frames[2].language = "\"><script>";
	for (const char *const l : {"python", "java", "javascript", "php",
	     "ruby", "perl", "lua"}) {
		p.frames[1].language = l;
		const std::string graph = profiles::flame_graph(p);
		const std::string both = asked(graph, "string(//*[@data-f]"
		    "[starts-with(., 'reserve')]/*[local-name()='rect']"
		    "/@class)");
		const std::size_t space = both.find(' ');
		BOOST_REQUIRE(space != both.npos);
		BOOST_TEST(has(both.substr(space), l));
		BOOST_TEST(has(graph, "." + both.substr(0, space) + " {"));
		BOOST_TEST(has(graph, "." + both.substr(space + 1) + " {"));
		BOOST_TEST(asked(graph, "count(//*[local-name()='script'])") ==
		    "1");
	}
}

BOOST_AUTO_TEST_CASE(any_name, *installed("xmllint") *description("any name; "
    "a control character is U+FFFD"))
{
	const std::string graph = profiles::flame_graph(nasty());
	BOOST_TEST(asked(graph, "count(//*[local-name()='script'])") == "1");
	for (const std::string name : {"a<b>& \"c\" ", "]]>", "&amp;",
		 "</title><script>x</script>", "\xef\xbf\xbd[31mred",
		 "line\xef\xbf\xbdline\xef\xbf\xbd\xef\xbf\xbd",
		 "\xc3\xa9\xe4\xb8\xad\xe6\x96\x87 \xf0\x9f\x94\xa5"})
		BOOST_TEST(asked(graph, "count(//*[local-name()='title']"
		    "[starts-with(., '" + name + "')]) > 0") == "true", name);
	asked(profiles::flame_graph({}), "/");
}

BOOST_AUTO_TEST_CASE(itself, *description("it asks for nothing from outside"))
{
	for (const std::string &text : {profiles::flame_graph(small()),
		 profiles::flame_graph_html(small())}) {
		BOOST_TEST(times(text, "http") == 2u);	// names of XML's kinds
		BOOST_TEST(has(text, "xmlns=\"http://www.w3.org/2000/svg\""));
		for (const char *word : {"src=", "href", "@import", "url("})
			BOOST_TEST(!has(text, word), word);
	}
}

BOOST_AUTO_TEST_CASE(left_out, *description("what is too narrow is left out, "
    "and it says how much that is"))
{
	profiles::profile p;
	p.unit = "events";
	add_stack(p, {"u:wide"}, 99999, 99999);
	add_stack(p, {"u:wide", "u:small", "u:smaller"}, 1, 1);
	const std::string graph = profiles::flame_graph(p);
	BOOST_TEST(has(graph, "Too narrow to be drawn: 2 frames, with 1 "
	    "event (0.00 %) in them."));
	BOOST_TEST(!has(graph, "smaller"));
	BOOST_TEST(!has(profiles::flame_graph(small()), "Too narrow"));
}

BOOST_AUTO_TEST_CASE(size, *description("100,000 stacks stay a file that a "
    "browser opens"))
{
	const std::string graph = profiles::flame_graph(many(100000));
	BOOST_TEST(times(graph, "data-f=") > 1000u);
	BOOST_TEST(graph.size() < 8000000u);
	const std::string most = profiles::flame_graph(many(10000));
	BOOST_TEST(times(most, "data-f=") == 20000u);
	BOOST_TEST(most.size() < 8000000u);
}

BOOST_AUTO_TEST_CASE(cut, *description("names are cut to their frames"))
{
	using profiles::cut;
	BOOST_TEST(cut("parse", 5) == "parse");
	BOOST_TEST(cut("parsed", 5) == "par..");
	BOOST_TEST(cut("parse", 4) == "");	// "pa.." says nothing
	BOOST_TEST(cut("ab", 2) == "ab");
	BOOST_TEST(cut("\xe4\xb8\xad\xe6\x96\x87", 4) ==
	    "\xe4\xb8\xad\xe6\x96\x87");
	BOOST_TEST(cut("\xe4\xb8\xad\xe6\x96\x87\xe6\x96\x87", 5) ==
	    "\xe4\xb8\xad..");
	BOOST_TEST(cut("", 9) == "");
}

BOOST_AUTO_TEST_SUITE_END()
