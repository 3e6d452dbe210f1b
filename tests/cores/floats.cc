// Tests that a dump of a core keeps the registers of floating point.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>

#include <elf.h>

#include <require.h>

#include "made_core.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_SUITE(floats, *needs("cores", cores::lacks_kernel_cores))

using namespace cores;

BOOST_AUTO_TEST_CASE(registers_of_floating_point, *SAYS("With --core a dump is made of a core, with the "
    "signal that ended the process, and with the floating-point registers."))
{
	const scratch in;
	const std::string core = kernel_core(in), small = (in / "small").string();
	BOOST_REQUIRE(std::system((STACKPRINT " --dump " + small + " --core " +
	    core + " >/dev/null").c_str()) == 0);
	const bytes whole = read_all(core), made = read_all(small);
	const std::size_t there = note_at(whole, NT_FPREGSET),
	    here = note_at(made, NT_FPREGSET), size = number<std::uint32_t>(whole,
	    there - 4);
	BOOST_TEST(size >= 512u);
	BOOST_REQUIRE_EQUAL(number<std::uint32_t>(made, here - 4), size);
	BOOST_TEST(std::equal(whole.begin() + static_cast<std::ptrdiff_t>(
	    there), whole.begin() + static_cast<std::ptrdiff_t>(there + size),
	    made.begin() + static_cast<std::ptrdiff_t>(here)));
}

BOOST_AUTO_TEST_SUITE_END()
