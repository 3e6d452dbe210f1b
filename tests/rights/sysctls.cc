// Tests the table of rights with settings of the machine.  It runs in a guest
// of tests/kernels only, because these settings stay.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>

#include <boost/test/unit_test.hpp>

#include "record.h"

BOOST_AUTO_TEST_CASE(as_recorded, *boost::unit_test::description(
    "each sysctl gives what tests/rights/expected says, in these words"))
{
	BOOST_TEST_REQUIRE(std::getenv("STACK9_KERNEL") != nullptr);
	compare_with_record(settings_of_sysctls());
}
