// main() of every test program.
//
// SPDX-License-Identifier: BSD-2-Clause
#define BOOST_TEST_MODULE stack9
#include <boost/test/unit_test.hpp>
