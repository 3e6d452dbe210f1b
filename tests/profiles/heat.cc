// Tests the heat map in a browser: a range of cells, and its flame graph.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "chromium.h"
#include "model.h"
#include "programs.h"
#include "tools/profiles/heat_page.h"

BOOST_AUTO_TEST_SUITE(heat, *installed("chromium"))

// A stack that always has 2 samples a second, and one that has 8 from the 70th
// second to the 79th: its name is an enemy's.
BOOST_AUTO_TEST_CASE(ranges, *boost::unit_test::description(
    "A click on one cell and its release on another pick the time from the one "
    "to the other, and the page shows its flame graph; a double click picks "
    "all."))
{
	profiles::profile p;
	profiles::heat_map m;
	p.unit = "samples";
	p.event = "threads";
	add_stack(p, {"u:main", "u:always"}, 1, 1);
	add_stack(p, {"u:main", "u:</script><img src=x>"}, 1, 1);
	m.slots.resize(120);
	m.slot_ns = 1'000'000'000;
	m.rows = 60;
	m.slots[0] = {{0, 2}};
	m.slots[70] = {{1, 8}};
	m.slots[80] = {{1, 0}};
	BOOST_TEST(browsed_page(profiles::heat_page(p, m), R"js(
		const canvas = document.querySelector('canvas');
		const frame = document.querySelector('iframe');
		const loaded = () => new Promise(f => frame.onload = f);
		const seen = () => [...frame.contentDocument.querySelectorAll(
		    '[data-f] title')].map(t => t.textContent.split('\n'))
		    .map(lines => lines[0] + ' ' + lines.at(-1)).join(', ');
		const at = (type, slot) => {
			const box = canvas.getBoundingClientRect();
			canvas.dispatchEvent(new MouseEvent(type, {
			    bubbles: true, clientX: box.left + 2 +
			    Math.floor(slot / 60) * (canvas.width / 2),
			    clientY: box.top + 2 + slot % 60 *
			    (canvas.height / 60)}));
		};
		const pick = async (a, b) => {
			const done = loaded();
			at('mousedown', a);
			at('mouseup', b);
			await done;
			say(seen());
		};
		if (frame.contentDocument.readyState !== 'complete' ||
		    !frame.contentDocument.querySelector('svg'))
			await loaded();
		say(seen());
		await pick(10, 19);
		await pick(79, 70);
		await pick(65, 74);
		const done = loaded();
		canvas.dispatchEvent(new MouseEvent('dblclick'));
		await done;
		say(seen() === said[0], document.querySelectorAll('img').length,
		    frame.contentDocument.querySelectorAll('img').length);
		const hot = [0, 0, 0, 0].map((_, i) => canvas.getContext('2d')
		    .getImageData(2 + (i > 1) * canvas.width / 2, 2 + [0, 20, 0,
		    12][i] * canvas.height / 60, 1, 1).data.join());
		say(hot[0] === hot[1], hot[1] === hot[2], hot[2] === hot[3]);
		const words = s => [...document.querySelectorAll(s)].map(
		    e => e.textContent);
		say(words('#map .column').length, words('#map .row')[0],
		    words('#scale')[0],
		    canvas.width > window.innerWidth * 3 / 4);
	)js") ==
	    "all 320 samples, 100.00 %, main 320 samples, 100.00 %, "
	    "</script><img src=x> 80 samples, 25.00 %, "
	    "always 240 samples, 75.00 %\n"
	    "all 20 samples, 100.00 %, main 20 samples, 100.00 %, "
	    "always 20 samples, 100.00 %\n"
	    "all 100 samples, 100.00 %, main 100 samples, 100.00 %, "
	    "</script><img src=x> 80 samples, 80.00 %, "
	    "always 20 samples, 20.00 %\n"
	    "all 60 samples, 100.00 %, main 60 samples, 100.00 %, "
	    "</script><img src=x> 40 samples, 66.67 %, "
	    "always 20 samples, 33.33 %\n"
	    "true 0 0\n"
	    "true true false\n"
	    "2 +0 s a cell: 2 (pale) to 10 (red) samples true");
}

BOOST_AUTO_TEST_SUITE_END()
