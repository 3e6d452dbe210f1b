// Holds main() of the test programs that are built with musl, for which there
// is no Boost.Test but the one in headers.
//
// SPDX-License-Identifier: BSD-2-Clause
#define BOOST_TEST_MODULE stack9
#include <boost/test/included/unit_test.hpp>
