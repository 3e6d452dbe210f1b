// Tests the flame graph in a browser: what a click, a search and a key do.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include "chromium.h"
#include "model.h"
#include "programs.h"
#include "tools/profiles/writers.h"

namespace data = boost::unit_test::data;

namespace {

std::string
in_browser(const std::string &name, const profiles::profile &p,
    const std::string &script)
{
	return browsed(name, name == "graph.svg" ? profiles::flame_graph(p) :
	    profiles::flame_graph_html(p), script);
}

const auto both = data::make({"graph.svg", "graph.html"});

} // namespace

BOOST_AUTO_TEST_SUITE(browser, *installed("chromium"))

// A click zooms into a frame; on the root or "Reset zoom", out.
BOOST_DATA_TEST_CASE(zoom, both, name)
{
	BOOST_TEST(in_browser(name, small(), R"js(
		say(see('all'), see('main'), see('idle'));
		click(at('main').querySelector('rect'));
		say(see('all'), see('main'), see('parse'), see('idle'));
		click(at('all').querySelector('rect'));
		say(see('all'), see('main'), see('idle'));
		say(find('.reset').hidden);
		click(at('scan').querySelector('rect'));
		say(find('.reset').hidden, see('scan'), see('parse'),
		    see('write'));
		click(find('.reset'));
		say(see('main'), see('scan'));
	)js") ==
	    "all: 10+1180 \"all\" main: 246+944 \"main\" idle: 10+236 "
	    "\"idle\"\n"
	    "all: 10+1180 \"all\" main: 10+1180 \"main\" parse: 10+1032 "
	    "\"parse\" idle: hidden\n"
	    "all: 10+1180 \"all\" main: 246+944 \"main\" idle: 10+236 "
	    "\"idle\"\n"
	    "true\n"
	    "false scan: 10+1180 \"scan\" parse: 10+1180 \"parse\" "
	    "write: hidden\n"
	    "main: 246+944 \"main\" scan: 836+236 \"scan\"");
}

// The window is 800 pixels high, and the graph is higher: it opens at its base,
// with the title, the legend and the controls in sight.
BOOST_DATA_TEST_CASE(base, both, name)
{
	profiles::profile deep = small();
	std::vector<std::string> frames;
	for (int i = 0; i < 100; i++)
		frames.push_back("u:f" + std::to_string(i));
	add_stack(deep, frames, 1, 1, "nginx", 17);
	const char *const script = R"js(
		const base = at('all').getBoundingClientRect();
		say(base.top > 0 && base.bottom <= window.innerHeight,
		    window.scrollY > 0);
		window.dispatchEvent(new Event('scroll'));
		const search = find('input').getBoundingClientRect();
		const title = find('.event').getBoundingClientRect();
		say(title.top >= 0 && title.bottom < search.top + 10 &&
		    search.bottom < 110);
	)js";
	BOOST_TEST(in_browser(name, deep, script) == "true true\ntrue");
	BOOST_TEST(in_browser(name, small(), R"js(say(window.scrollY);)js") ==
	    "0");
}

// A search highlights by regular expression and shows the percentage; each
// event counts once.
BOOST_DATA_TEST_CASE(search, both, name)
{
	BOOST_TEST(in_browser(name, small(), R"js(
		type('^(parse|scan)$');
		say(percents(), '/', see('parse'), see('scan'), see('idle'));
		type('^scan|write|IDLE');
		say(percents());
		type('scan|write|idle');
		say(percents());
		type('PARSE');
		say(percents());
		type('(');
		say(percents(), find('input').className);
		type('');
		say(percents() === '', find('input').className === '',
		    all().some(g => g.classList.contains('hit')));
		type('scan');
		click(at('parse').querySelector('rect'));
		say(percents());
		type('main');
		say(percents());
	)js") ==
	    "matched 70.00 % / parse: 246+826 \"parse\" hit scan: 836+236 "
	    "\"scan\" hit idle: 10+236 \"idle\"\n"
	    "matched 30.00 %\n"
	    "matched 50.00 %\n"
	    "matched 0.00 %\n"
	    "no regular expression wrong\n"
	    "true true false\n"
	    "matched 28.57 % of parse\n"
	    "matched 100.00 % of parse");
}

// A frame that is left out may match too: then it says "at least".
BOOST_DATA_TEST_CASE(search_left_out, both, name)
{
	profiles::profile p;
	p.unit = "events";
	add_stack(p, {"u:wide"}, 60000, 60000);
	add_stack(p, {"u:other"}, 39999, 39999);
	add_stack(p, {"u:other", "u:small"}, 1, 1);
	BOOST_TEST(in_browser(name, p, "type('small|wide'); say(percents());")
	    == "matched at least 60.00 %");
}

// All of it by keyboard.
BOOST_DATA_TEST_CASE(keys, both, name)
{
	BOOST_TEST(in_browser(name, small(), R"js(
		press('/');
		say(document.activeElement === find('input'));
		type('idle');
		press('Escape');
		say(find('input').value === '', percents() === '',
		    document.activeElement === find('input'));
		say(press('f', {ctrlKey: true}),
		    document.activeElement === find('input'));
		say(press('f', {ctrlKey: true}));	// the browser's own
		press('Enter');
		press('ArrowUp');
		press('ArrowUp');
		say(see('main'), '/', find('.details').textContent);
		press('ArrowUp');
		press('ArrowRight');
		say(see('write'));
		press('ArrowLeft');
		press('Enter');
		say(see('parse'), see('write'), '/',
		    find('.details').textContent);
		press('ArrowUp');
		say(find('.details').textContent);
		press('ArrowDown');
		press('ArrowDown');
		press('Enter');
		say(see('main'), see('write'));
		press('Escape');
		say(see('main'));
	)js") ==
	    "true\n"
	    "true true false\n"
	    "false true\n"
	    "true\n"
	    "main: 246+944 \"main\" current / main, user (/usr/sbin/nginx), "
	    "80 microseconds in 19 events, 80.00 %\n"
	    "write: 1072+118 \"write\" current\n"
	    "parse: 10+1180 \"parse\" current write: hidden / parse, "
	    "user (/usr/sbin/nginx), 70 microseconds in 9 events, 70.00 %\n"
	    "scan, inlined (/usr/sbin/nginx), 20 microseconds in 5 events, "
	    "20.00 %; 28.57 % of parse\n"
	    "main: 10+1180 \"main\" current write: 1043+147 \"write\"\n"
	    "main: 246+944 \"main\" current");
}

// Names are shown as they are, and none of them runs.
BOOST_DATA_TEST_CASE(any_name, both, name)
{
	profiles::profile p;
	p.unit = "events";
	for (const std::string text : {"u:<img src=x onerror=\"hit()\">",
		 "u:</title></svg><script>hit()</script>", "u:]]>&amp;<b>"})
		add_stack(p, {text}, 1, 1, "<b>&amp;");
	p.event = "</title><script>hit()</script>";
	BOOST_TEST(in_browser(name, p, R"js(
		for (const g of all())
			say(name_of(g), '|',
			    g.querySelector('text').textContent);
		say(document.querySelectorAll('script').length,
		    document.querySelectorAll('img, b').length);
	)js") ==
	    "all | all\n<b>&amp; | <b>&amp;\n"
	    "</title></svg><script>hit()</script> | "
	    "</title></svg><script>hit()</script>\n"
	    "<img src=x onerror=\"hit()\"> | <img src=x onerror=\"hit()\">\n"
	    "]]>&amp;<b> | ]]>&amp;<b>\n2 0");
	BOOST_TEST(in_browser(name, nasty(), "say(all().length > 1000);") ==
	    "true");
	BOOST_TEST(in_browser(name, {}, "say(see('all'));") ==
	    "all: 10+0 \"\"");
}

// With as many frames as are drawn at most, a click and a search take some 0.3
// s.  A busy machine would make that seconds, so what is counted is the work:
// frames are touched a few times each, and the browser lays them out once.
BOOST_DATA_TEST_CASE(wide, both, name)
{
	BOOST_TEST(in_browser(name, many(10000), R"js(
		const calls = {};
		for (const [of, call] of [[Element, 'setAttribute'],
		    [Element, 'getBoundingClientRect'],
		    [DOMTokenList, 'toggle'], [RegExp, 'test']]) {
			const real = of.prototype[call];
			calls[call] = 0;
			of.prototype[call] = function (...args) {
				calls[call]++;
				return real.apply(this, args);
			};
		}
		click(all()[5].querySelector('rect'));
		type('function_1');
		const n = all().length, counted = {...calls};
		say(n, see('all'), percents() !== '');
		say(counted.setAttribute <= 6 * n, counted.toggle <= 4 * n,
		    counted.test <= 2 * n, counted.getBoundingClientRect <= 2);
		say(counted.setAttribute > 0, counted.toggle > n,
		    counted.test >= n - 1,
		    counted.getBoundingClientRect > 0);
	)js") == "20000 all: 10+1180 \"all\" true\ntrue true true true\n"
	    "true true true true");
}

BOOST_AUTO_TEST_SUITE_END()
