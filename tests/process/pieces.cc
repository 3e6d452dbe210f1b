// Tests walks of copies that are too short.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "copier.h"
#include "require.h"

using stack9::space_walk;
using stack9::user_copy;

BOOST_AUTO_TEST_SUITE(pieces, *needs("ptrace"))

BOOST_AUTO_TEST_CASE(a_short_copy_is_a_part_of_the_whole_and_wants_more)
{
	child c({program("no_fp"), "deep", "300"});
	BOOST_REQUIRE(c.says("ready"));
	const opened space(c.thread());
	user_copy copy;
	copy_thread(c.pid(), copy);
	const walk all = walk_of(*space, copy, c.thread());
	BOOST_REQUIRE(all.is_whole());
	int wanted = 0;
	for (std::size_t most = 64; most < 20000; most += 1000) {
		// Back in its read(2) that the last copy interrupted.
		BOOST_REQUIRE(c.waits(c.pid()));
		copy_thread(c.pid(), copy, most);
		const walk w = walk_of(*space, copy, c.thread());
		if (!copy.stack.more || w.is_whole()) {
			BOOST_TEST(w.is_whole());
			continue;
		}
		BOOST_TEST((w.how == space_walk::wants_more));
		BOOST_TEST(w.rec.depth >= 1u);
		BOOST_TEST(w.wanted >= copy.stack.at);
		BOOST_TEST(!copy.stack.holds(w.wanted, 8));
		BOOST_TEST(std::equal(w.pcs.begin(), w.pcs.end(),
		    all.pcs.begin()));
		wanted++;
	}
	BOOST_TEST(wanted > 3);
}

BOOST_AUTO_TEST_CASE(a_copy_that_is_all_there_was_wants_nothing)
{
	child c({program("no_fp"), "deep", "300"});
	BOOST_REQUIRE(c.says("ready"));
	const opened space(c.thread());
	user_copy copy;
	copy_thread(c.pid(), copy, 2000);
	copy.stack.more = false;
	const walk w = walk_of(*space, copy, c.thread());
	BOOST_TEST((w.how == space_walk::done));
	BOOST_TEST(w.rec.why == STACK9_WHY_MEMORY);
	BOOST_TEST(w.rec.depth > 1u);
}

BOOST_AUTO_TEST_CASE(asked_for_more_until_it_has_all_it_is_whole)
{
	child c({program("no_fp"), "deep", "3000"});
	BOOST_REQUIRE(c.says("ready"));
	const opened space(c.thread());
	user_copy copy;
	copy_thread(c.pid(), copy, 1000);
	walk w = walk_of(*space, copy, c.thread());
	for (int n = 0; n < 20 && w.how == space_walk::wants_more; n++) {
		BOOST_REQUIRE(copy_on(c.pid(), copy, w.wanted));
		w = walk_of(*space, copy, c.thread());
	}
	BOOST_TEST(w.is_whole());
	BOOST_TEST(w.pcs.size() > 3000u);
}

BOOST_AUTO_TEST_SUITE_END()
