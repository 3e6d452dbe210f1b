// Tests names by the kernel's own formatting, however many are asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core_calls.h"
#include "require.h"
#include "kernel_capture.h"

BOOST_AUTO_TEST_SUITE(names)

BOOST_AUTO_TEST_CASE(they_do_not_run_out, *needs("bpf")
    * boost::unit_test::description(
    "EAGAIN: the answer would have to wait"))
{
	const victim v({doing::read});
	capture c;
	stack9::symbol_name sym;
	BOOST_REQUIRE_EQUAL(c.save(v.pid()), 0);
	if (core::name(c.pcs[0], stack9::name_nowait, &sym) == EAGAIN) {
		BOOST_TEST_MESSAGE("this kernel does not answer itself");
		return;
	}
	int failed = 0;
	for (int i = 0; i < 50000; i++)
		failed += core::name(c.pcs[0], stack9::name_nowait, &sym) != 0;
	BOOST_TEST(failed == 0);
}

BOOST_AUTO_TEST_CASE(both_ways_give_the_same_names, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "the kernel's own formatting and its symbol table, behind one seam"))
{
	const auto ways = routes_of("names of kernel addresses");
	if (ways.size() < 2) {
		BOOST_TEST_MESSAGE("this kernel has one way only");
		return;
	}
	const victim v({std::begin(all_sleepers), std::end(all_sleepers)});
	for (const pid_t tid : v.tids()) {
		capture c;
		BOOST_REQUIRE_EQUAL(c.save(tid), 0);
		for (const std::string &w : ways) {
			const forced only(w);
			BOOST_TEST(named(c.rec) == proc_stack(tid),
			    boost::test_tools::per_element());
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
