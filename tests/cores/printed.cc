// Tests stackprint(1), CORES: what is printed of a core.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <string>

#include <child.h>
#include <require.h>

#include "made_core.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_SUITE(printed, *needs("cores", cores::lacks_kernel_cores))

namespace {

using namespace cores;

std::string
lacks_packers()
{
	return std::system("zstd -V >/dev/null 2>&1 && lz4 -V >/dev/null 2>&1")
	    == 0 ? "" : "zstd or lz4 is missing";
}

} // namespace

BOOST_AUTO_TEST_CASE(the_signal_comes_first, *SAYS("The first lines name the "
    "process, the signal, the thread that had it and the address."))
{
	const scratch in;
	const said s = run({STACKPRINT, "--core", kernel_core(in)});
	BOOST_TEST(s.status == 0);
	BOOST_TEST(s.out.starts_with("program  pid "));
	const std::size_t second = s.out.find('\n') + 1;
	BOOST_TEST(s.out.substr(second).starts_with("  killed  in tid "));
	BOOST_TEST(has(s.out, " by SIGSEGV: nothing is mapped at 0x10\n"));
	BOOST_TEST(has(s.out, "  SIGSEGV\n  user    innermost+0x"));
	BOOST_TEST(has(s.out, "4 threads: 4 captured"));
}

BOOST_AUTO_TEST_CASE(groups_and_lines)
{
	const scratch in;
	const said s = run({STACKPRINT, "--group", "-l", "--core",
	    kernel_core(in)});
	BOOST_TEST(s.status == 0);
	BOOST_TEST(has(s.out, "program.c:"));
	const std::size_t died = s.out.find("1 thread  program"),
	    others = s.out.find("3 threads  program");
	BOOST_TEST(died != s.out.npos);
	BOOST_TEST(others != s.out.npos);
	BOOST_TEST(died < others);
}

BOOST_AUTO_TEST_CASE(objects, *SAYS("With --core the first object has a member "
    "core:"))
{
	const scratch in;
	const said s = run({STACKPRINT, "--json", "--core", kernel_core(in)});
	BOOST_TEST(s.status == 0);
	BOOST_TEST(s.out.starts_with("{\"schema\":1,\"core\":{\"pid\":"));
	BOOST_TEST(has(s.out, "\"signal\":11"));
	BOOST_TEST(has(s.out, "\"address\":\"0x10\""));
	BOOST_TEST(has(s.out, "\"name\":\"innermost\""));
}

BOOST_AUTO_TEST_CASE(who_waits_for_whom, *SAYS("With --waits and --why the "
    "owners of the C library's locks are found in the core's memory."))
{
	const scratch in;
	const said s = run({STACKPRINT, "--why", "--core", kernel_core(in)});
	BOOST_TEST(s.status == 0);
	BOOST_TEST(has(s.out, "root: 3 threads wait for it"));
	BOOST_TEST(times(s.out, "(lock of program) held by tid ") == 3u);
}

BOOST_AUTO_TEST_CASE(one_thread)
{
	const scratch in;
	const std::string path = kernel_core(in);
	unique_core core;
	BOOST_REQUIRE(open(path, core) == 0);
	const std::string tid = std::to_string(
	    stack9_core_info(core.get())->tid);
	const said s = run({STACKPRINT, "--core", path, tid});
	BOOST_TEST(s.status == 0);
	BOOST_TEST(has(s.out, "1 thread: 1 captured"));
	const said none = run({STACKPRINT, "--core", path, "1"});
	BOOST_TEST(has(none.err, "tid 1: the core has no such thread"));
}

BOOST_AUTO_TEST_CASE(compressed_cores, *needs("packers", lacks_packers)
    *SAYS("A core may be compressed by zstd or lz4."))
{
	const scratch in;
	const std::string path = kernel_core(in);
	const said plain = run({STACKPRINT, "--core", path});
	for (const char *packer : {"zstd", "lz4"}) {
		const std::string packed = path + "." + packer;
		BOOST_REQUIRE(std::system((std::string(packer) + " -q -f " +
		    path + " " + (packer[0] == 'z' ? "-o " : "") +
		    packed).c_str()) == 0);
		const said s = run({STACKPRINT, "--core", packed});
		BOOST_TEST(s.status == 0);
		BOOST_TEST(s.out == plain.out);
		bytes b = read_all(packed);
		b.resize(b.size() / 2);
		write_all(packed, b);
		const said cut = run({STACKPRINT, "--core", packed});
		BOOST_TEST(has(cut.err, "the core was cut"));
	}
}

BOOST_AUTO_TEST_CASE(what_is_no_core)
{
	const said s = run({STACKPRINT, "--core", STACKPRINT});
	BOOST_TEST(s.status != 0);
	BOOST_TEST(has(s.err, "it is an ELF file, but not a core"));
	const said kernel = run({STACKPRINT, "-k", "--core", STACKPRINT});
	BOOST_TEST(has(kernel.err, "a core has no other"));
}

BOOST_AUTO_TEST_SUITE_END()
