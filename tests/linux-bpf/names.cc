// Names by the kernel's own formatting, however many are asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "require.h"
#include "look.h"

BOOST_AUTO_TEST_SUITE(names)

BOOST_AUTO_TEST_CASE(they_do_not_run_out, *needs("bpf")
    * boost::unit_test::description(
    "EAGAIN: STACK9_NOWAIT, and the answer would have to wait"))
{
	const victim v({doing::read});
	capture c;
	struct stack9_symbol sym;
	BOOST_REQUIRE_EQUAL(c.save(v.pid()), 0);
	if (stack9_name(c.pcs[0], STACK9_NOWAIT, &sym) == EAGAIN) {
		BOOST_TEST_MESSAGE("this kernel does not answer itself");
		return;
	}
	int failed = 0;
	for (int i = 0; i < 50000; i++)
		failed += stack9_name(c.pcs[0], STACK9_NOWAIT, &sym) != 0;
	BOOST_TEST(failed == 0);
}

BOOST_AUTO_TEST_SUITE_END()
