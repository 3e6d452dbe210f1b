// Tests that a function of a language goes through each sink with its file and
// line, and is another one than a function of the same name in another file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include "pprof_lines.h"
#include "tools/events/frames.h"
#include "tools/profiles/difference.h"
#include "tools/profiles/writers.h"
#include "tools/record/identity.h"
#include "tools/record/messages.h"
#include "tools/record/model_frames.h"
#include "tools/record/segment.h"
#include "tools/servers/json_rows.h"
#include "tools/servers/segment_values.h"
#include "tools/stackprint/groups.h"
#include "tools/stackprint/recorded_snapshot.h"
#include "tools/stackprint/printer.h"
#include "tools/stackreport/frames.h"
#include "tools/stackreport/text.h"
#include "tools/stacksnoop/printer.h"

using boost::unit_test::description;
using tools::frame, tools::frame_kind;

namespace {

frame
reserve(const std::string &dir)
{
	frame f;
	f.kind = frame_kind::language;
	f.language = "python";
	f.name = "Shop.reserve";
	f.file = dir + "/orders.py";
	f.line = 214;
	return f;
}

frame
python()
{
	frame f;
	f.name = "_PyEval_EvalFrameDefault";
	f.module = "/usr/bin/python3.11";
	return f;
}

// Two stacks that differ in the file of one function.
recording::tick
recorded()
{
	recording::tick t;
	std::vector<recording::identity> ids;
	t.boot_ns = 2000;
	t.modules = {recording::module_of(python())};
	t.processes = {{4711, ""}};
	t.threads = {{4711, 1, 77, "shop"}, {4712, 1, 78, "shop"}};
	t.frames = {recording::from_model(python(), 1),
	    recording::from_model(reserve("/srv/shop"), 0),
	    recording::from_model(reserve("/srv/old"), 0)};
	for (const recording::frame &f : t.frames)
		ids.push_back(recording::identity_of(f, f.module == 0 ?
		    nullptr : &t.modules[0]));
	for (std::uint32_t n = 1; n <= 2; n++) {
		recording::stack s;
		s.side = STACK9_USER;
		s.frames = {n + 1, 1};
		s.id = recording::identity_of(s, ids);
		t.stacks.push_back(s);
		t.changes.push_back({n, {'S', -1, 0, n, 5, 1500, 0}});
	}
	return t;
}

// Writes the record and reads it again.
recording::segment
segment()
{
	recording::segment_info info;
	info.boot_ns = 1000;
	info.period_ns = 1000000;
	recording::segment s(info);
	recording::tick t;
	BOOST_REQUIRE(recording::decode(recording::encode(recorded()), t) ==
	    "");
	BOOST_REQUIRE(s.add(t) == "");
	s.go_on(t);
	return s;
}

profiles::profile
profile()
{
	profiles::profile p;
	p.event = "cpu-clock";
	p.unit = "samples";
	stackreport::options o;
	stackreport::frames all(o, p);
	const recording::segment s = segment();
	all.begin();
	for (std::uint32_t n = 1; n <= 2; n++) {
		profiles::stack &made = p.stacks.emplace_back();
		made.frames = all.of(s, 0, n);
		made.events = made.weight = n;
	}
	return p;
}

bool
has(const std::string &text, const std::string &part)
{
	return text.find(part) != text.npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(languages)

BOOST_AUTO_TEST_CASE(a_record_keeps_it, *description(
    "language: the name, file and line of a function of an interpreter"))
{
	const recording::segment s = segment();
	const frame f = recording::to_model(s, 2);
	BOOST_TEST((f.kind == frame_kind::language));
	BOOST_TEST(f.language == "python");
	BOOST_TEST(f.name == "Shop.reserve");
	BOOST_TEST(f.file == "/srv/shop/orders.py");
	BOOST_TEST(f.line == 214u);
	BOOST_TEST((s.stack_of(1).id != s.stack_of(2).id));
}

BOOST_AUTO_TEST_CASE(it_is_never_joined, *description(
    "functions of one name in two files are two"))
{
	const profiles::profile p = profile();
	BOOST_REQUIRE(p.frames.size() == 3u);
	BOOST_TEST(profiles::distinct_frames(p).first.size() == 3u);
	frame other = reserve("/srv/shop");
	std::deque<frame> all;
	tools::frame_table table(all, tools::precision::functions);
	table.number(other);
	other.language = "ruby";
	BOOST_TEST(table.number(other) == 1u);
}

BOOST_AUTO_TEST_CASE(folded, *description("folded: file and line"))
{
	const std::string begin = "_PyEval_EvalFrameDefault;Shop.reserve (";
	BOOST_TEST(profiles::folded(profile()) ==
	    begin + "/srv/old/orders.py:214) 2\n" +
	    begin + "/srv/shop/orders.py:214) 1\n");
}

BOOST_AUTO_TEST_CASE(json, *description("json: file and line"))
{
	const auto all = nlohmann::json::parse(profiles::json(profile()));
	const auto &f = all["frames"][1];
	BOOST_TEST(f["kind"] == "language");
	BOOST_TEST(f["language"] == "python");
	BOOST_TEST(f["name"] == "Shop.reserve");
	BOOST_TEST(f["file"] == "/srv/shop/orders.py");
	BOOST_TEST(f["line"] == 214);
	BOOST_TEST(all["frames"].size() == 3u);
	// A profile that is read again has it, too.
	profiles::profile read;
	BOOST_TEST(profiles::read_profile(profiles::json(profile()), read) ==
	    "");
	BOOST_TEST(tools::label(read.frames[1]) ==
	    "Shop.reserve (/srv/shop/orders.py:214)");
	BOOST_TEST(profiles::difference(read, read).frames.size() == 3u);
}

BOOST_AUTO_TEST_CASE(pprof, *description("pprof: file and line"))
{
	const std::vector<std::string> lines =
	    pprof_lines(profiles::pprof(profile()));
	const std::vector<std::string> wanted = {
	    "Shop.reserve /srv/shop/orders.py:214",
	    "_PyEval_EvalFrameDefault :0",
	    "Shop.reserve /srv/old/orders.py:214"};
	BOOST_TEST(lines == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(speedscope, *description("speedscope: file and line"))
{
	const auto all = nlohmann::json::parse(
	    profiles::speedscope(profile()));
	const auto &frames = all["shared"]["frames"];
	BOOST_REQUIRE(frames.size() == 3u);
	BOOST_TEST(frames[0]["name"] == "Shop.reserve");
	BOOST_TEST(frames[0]["file"] == "/srv/old/orders.py");
	BOOST_TEST(frames[0]["line"] == 214);
	BOOST_TEST(frames[1]["file"] == "/srv/shop/orders.py");
}

BOOST_AUTO_TEST_CASE(graphs_and_servers, *description(
    "svg, html and OTLP: file and line"))
{
	for (const std::string &text : {profiles::flame_graph(profile()),
	    profiles::flame_graph_html(profile())})
		for (const char *dir : {"shop", "old"})
			BOOST_TEST(has(text, fmt::format("Shop.reserve "
			    "(/srv/{}/orders.py:214)", dir)));
	const std::string otlp = profiles::otlp(profile());
	for (const char *each : {"Shop.reserve", "/srv/shop/orders.py",
	    "/srv/old/orders.py", "cpython"})
		BOOST_TEST(has(otlp, each), each);
}

BOOST_AUTO_TEST_CASE(rows, *description("rows: file and line"))
{
	const recording::segment s = segment();
	for (const auto &[n, dir] : {std::pair{1u, "shop"}, {2u, "old"}}) {
		const servers::whole_stack w = servers::whole_stack_of(s, 0,
		    n);
		BOOST_TEST(w.frames.back() == fmt::format("Shop.reserve "
		    "(/srv/{}/orders.py:214)", dir));
		BOOST_TEST(w.places.back() == "");
	}
}

BOOST_AUTO_TEST_CASE(texts_of_events, *description(
    "text, json and perf of stacksnoop: file and line"))
{
	events::options o;
	fmt::memory_buffer text, perf, verbose;
	events::write_frame(text, reserve("/srv/shop"), 0, o);
	BOOST_TEST(fmt::to_string(text) == "Shop.reserve  orders.py:214");
	o.addresses = o.offsets = true;
	events::write_frame(verbose, reserve("/srv/shop"), 0, o);
	BOOST_TEST(fmt::to_string(verbose) ==
	    "            python  Shop.reserve  /srv/shop/orders.py:214");
	stacksnoop::write_perf_frame(perf, reserve("/srv/shop"), 0);
	BOOST_TEST(fmt::to_string(perf) == "\t               0 "
	    "Shop.reserve:/srv/shop/orders.py:214 ([python])\n");
	const auto object = nlohmann::json::parse(
	    stacksnoop::json_frame(reserve("/srv/shop"), 0));
	BOOST_TEST(object == nlohmann::json({{"name", "Shop.reserve"},
	    {"language", "python"}, {"file", "/srv/shop/orders.py"},
	    {"line", 214}}));
}

BOOST_AUTO_TEST_CASE(text_of_stackreport, *description(
    "text of stackreport: file and line"))
{
	const profiles::profile p = profile();
	BOOST_TEST(stackreport::stack_text(p, p.stacks[0].frames) ==
	    "  python  Shop.reserve  orders.py:214\n"
	    "  user    _PyEval_EvalFrameDefault  python3.11\n");
}

BOOST_AUTO_TEST_CASE(a_recorded_moment, *description(
    "text and json of stackprint --record: file and line"))
{
	const recording::segment s = segment();
	stackprint::options o;
	tools::name_options wanted;
	tools::names all(wanted);
	stackprint::recorded_snapshot m(o, s, all);
	const tools::sample_ptr first = m.sample_of(1);
	const tools::sample_ptr second = m.sample_of(2);
	BOOST_REQUIRE(first != nullptr);
	BOOST_REQUIRE(second != nullptr);
	// The library never sees it.
	BOOST_TEST((first->captured == nullptr));
	BOOST_TEST((first->user->space == nullptr));
	const stackprint::view how{o, false, true, all, nullptr};
	fmt::memory_buffer text, json;
	stackprint::text_printer(how)->thread(text, *first);
	BOOST_TEST(has(fmt::to_string(text),
	    "  user    Shop.reserve                  python      "
	    "orders.py:214\n"
	    "          _PyEval_EvalFrameDefault+0x0  python3.11\n"));
	stackprint::json_printer(how)->thread(json, *second);
	const auto object = nlohmann::json::parse(fmt::to_string(json));
	BOOST_TEST(object["user"]["frames"][0] == nlohmann::json({
	    {"name", "Shop.reserve"}, {"language", "python"},
	    {"file", "/srv/old/orders.py"}, {"line", 214}}));
	stackprint::groups grouped;
	grouped.add(first, all);
	grouped.add(second, all);
	BOOST_TEST(grouped.by_count().size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
