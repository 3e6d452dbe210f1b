// Tests stack9_prepare() in a program that has loaded nothing before.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <boost/test/unit_test.hpp>
#include <stack9_settings.h>

#include "child.h"
#include "require.h"

using boost::unit_test::description;

namespace {

// Descriptors of BPF programs.
int
programs()
{
	int count = 0;
	for (const auto &fd : std::filesystem::directory_iterator(
	    "/proc/self/fd")) {
		std::error_code gone;
		count += std::filesystem::read_symlink(fd.path(), gone) ==
		    "anon_inode:bpf-prog";
	}
	return count;
}

} // namespace

BOOST_AUTO_TEST_CASE(both_sides, *needs("bpf") * description(
    "stack9_prepare() loads what the first capture needs"))
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	BOOST_TEST(programs() == 0);
	BOOST_TEST(stack9_prepare(STACK9_BOTH) == 0, stack9_reason());
	const int loaded = programs();
	BOOST_TEST(loaded > 0);
	const api::sample s = api::save(c.thread(), STACK9_BOTH);
	BOOST_TEST(s->kernel->error == 0);
	BOOST_TEST(s->user->error == 0);
	BOOST_TEST(programs() == loaded);
	BOOST_TEST(stack9_prepare(STACK9_BOTH) == 0);
	BOOST_TEST(programs() == loaded);
}

BOOST_AUTO_TEST_CASE(no_side, *description("EINVAL: an argument is wrong"))
{
	BOOST_TEST(stack9_prepare(0) == EINVAL);
	BOOST_TEST(stack9_prepare(4) == EINVAL);
}
