// Tests small cores of stacks that are larger than a dump has room for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <lib/process.h>
#include <require.h>

#include "dumped.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

namespace {

using namespace cores;

constexpr std::size_t large = 1 << 20;

[[gnu::noinline]] void
wait_beside(volatile char *array)
{
	for (;;) {
		pause();
		array[0] = 1;
	}
}

// As a thread of Ruby has its frames.
[[gnu::noinline]] void
have_an_array(int deep)
{
	volatile char array[large];
	if (deep > 0)
		have_an_array(deep - 1);
	else
		wait_beside(array);
	array[1] = 1;
}

std::string
lacks_eu_stack()
{
	return std::system("command -v eu-stack >/dev/null") == 0 ? "" :
	    "eu-stack is missing";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_stack_with_large_arrays, *needs("bpf") *
    needs("eu-stack", lacks_eu_stack) * SAYS("If a stack is larger than its "
    "share, its innermost part is written, and the bytes around each return "
    "address."))
{
	const scratch in;
	const std::string path = in / "dump";
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		have_an_array(2);
		_exit(1);
	}
	lib::wait_for_state(pid, 'S');
	const lines ours = dump_still(pid, path);
	const lines live = frames_of(fmt::format("eu-stack -p {}", pid)),
	    dead = frames_of("eu-stack --core " + path);
	lib::kill_and_reap(pid);
	BOOST_TEST(lines_of_core(path) == ours,
	    boost::test_tools::per_element());
	BOOST_TEST(live.size() > 10u);
	BOOST_TEST(dead == live, boost::test_tools::per_element());
	BOOST_TEST(std::filesystem::file_size(path) < large);
}
