// Compares user sides that events walk by learned rules with copies of the same
// stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "puppets.h"
#include "walked_sides.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(async_walked)

namespace {

using boost::unit_test::description;

constexpr char often[] = "profile:hz:997";

} // namespace

BOOST_AUTO_TEST_CASE(a_copy_and_walks_of_one_stack,
    *needs("bpf") * needs_task_work() * walks()
    * description("An event walks the user side at once if all of its frames "
    "have rules"))
{
	puppets p;
	p.run(puppets::call);
	forget_all();
	const ways before = ways::now();
	watched w({calls, p.pid(), p.tid(), STACK9_USER, 0});
	side first;
	take_until([&] { return have_walked(before, 2000); },
	    [&](const side &s) {
		    if (first.pcs.empty()) {
			    first = s;
			    BOOST_TEST(s.has("syscall", 0), joined(s.names));
			    BOOST_TEST(s.has("puppets4callE", 1));
			    BOOST_TEST(s.has("obey", 2));
		    }
		    BOOST_REQUIRE(s.whole);
		    BOOST_REQUIRE(s.pcs == first.pcs);
		    BOOST_REQUIRE(s.flags == first.flags);
	    });
	BOOST_TEST(ways::now().copied > before.copied);
	w.end();
	p.go_on();
	p.settle();
	forget_all();
}

BOOST_AUTO_TEST_CASE(in_an_interrupt, *needs("bpf") * needs_task_work()
    * walks() * needs("walks", no_walks_in_interrupts)
    * description("An event walks the user side at once if all of its frames "
    "have rules"))
{
	puppets p;
	p.run(puppets::spin);
	forget_all();
	const ways before = ways::now();
	watched w({often, p.pid(), p.tid(), STACK9_USER, 0});
	side first;
	take_until([&] { return have_walked(before, 20); },
	    [&](const side &s) {
		    if (first.pcs.empty())
			    first = s;
		    BOOST_REQUIRE(s.whole);
		    BOOST_TEST(s.has("puppets4spinE", 0), joined(s.names));
		    BOOST_REQUIRE(s.pcs.size() == first.pcs.size());
		    BOOST_REQUIRE(std::equal(s.pcs.begin() + 1, s.pcs.end(),
			first.pcs.begin() + 1));
	    });
	BOOST_TEST(ways::now().copied > before.copied);
	w.end();
	p.go_on();
	p.settle();
	forget_all();
}

BOOST_AUTO_TEST_SUITE_END()
