// Tests small cores of 32-bit programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include <lib/programs.h>
#include <require.h>

#include "dumped.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

namespace {

using namespace cores;

std::string
lacks_gdb()
{
	return std::system("command -v gdb >/dev/null") == 0 ? "" :
	    "gdb is missing";
}

std::string
lacks_compiler()
{
	return *PROGRAM_32 != '\0' ? "" : "no compiler of 32-bit programs";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_dump_of_a_32_bit_program, *needs("bpf") * needs("ia32") *
    needs("gdb", lacks_gdb) * needs("cc32", lacks_compiler) * SAYS(
    "A dump of a 32-bit program is a 32-bit core."))
{
	const scratch in;
	const waiting p({PROGRAM_32, "wait"});
	const std::string path = in / "dump", again = in / "again";
	const lines ours = dump_still(p.pid(), path);
	BOOST_TEST(ours.size() == 4u);
	BOOST_TEST(lines_of_core(path) == ours,
	    boost::test_tools::per_element());
	const char *const ask = "gdb -nx -batch -iex 'set auto-load off' "
	    "-ex 'set print frame-arguments none' -ex 'thread apply all bt' ";
	const lines live = frames_of(fmt::format("{} -p {}", ask, p.pid())),
	    dead = frames_of(fmt::format("{} {} {}", ask, PROGRAM_32, path));
	BOOST_TEST(live.size() > 10u);
	BOOST_TEST(dead == live, boost::test_tools::per_element());
	lib::output_of(fmt::format("{} --dump {} --core {}", STACKPRINT, again,
	    path));
	BOOST_TEST(lines_of_core(again) == ours,
	    boost::test_tools::per_element());
}
