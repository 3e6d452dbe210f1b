// Tests that kernel code that includes <sys/sbuf.h> compiles strictly, as C99
// and as C++20, and runs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <string>

extern "C" const char *ported_c99(void);
extern "C" const char *ported_cxx(void);

BOOST_AUTO_TEST_SUITE(sbuf_ported)

BOOST_AUTO_TEST_CASE(kernel_code_prints_through_32_bytes,
    *boost::unit_test::description("These are the calls of the FreeBSD kernel, "
	"with the behaviour that they have in the kernel"))
{
	const std::string wanted =
	    "lock order reversal:\n"
	    " 1st 0x10 first (first lock, sleep mutex) @ "
	    "/usr/src/sys/kern/a.c:10\n"
	    " 2nd 0 second\n";
	BOOST_TEST(ported_c99() == wanted);
	BOOST_TEST(ported_cxx() == wanted);
}

BOOST_AUTO_TEST_SUITE_END()
