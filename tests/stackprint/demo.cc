// Tests the demo: its threads are where it says, and it ends in words whatever
// the rights.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <require.h>

#include "child.h"

using boost::unit_test::description;

namespace {

const char *const names[] = {"futex", "poll", "read", "nanosleep", "spin-user",
    "spin-syscall"};

said
demo(const std::string &program, const std::string &target,
    const std::string &words = "")
{
	return run({"/bin/sh", STACKPRINT_DEMO_RUN, program, target},
	    {.environment = {"STACK9_FAKE=" + words}});
}

std::string
last_line(const said &s)
{
	const auto start = s.out.rfind('\n', s.out.size() - 2);
	return s.out.substr(start == s.out.npos ? 0 : start + 1);
}

// The lines of the thread that is called name.
std::string
block(const said &s, const std::string &name)
{
	const auto start = s.out.find("\n" + name + "  pid ");
	auto end = s.out.find('\n', start + 1);
	while (end != s.out.npos && s.out[end + 1] == ' ')
		end = s.out.find('\n', end + 1);
	return start == s.out.npos ? "" : s.out.substr(start, end - start);
}

} // namespace

BOOST_AUTO_TEST_SUITE(the_demo)

BOOST_AUTO_TEST_CASE(prints_stacks_with_names, *needs("bpf")
    *description("the demo prints both stacks of each of its threads and ends "
    "with the counts"))
{
	const said s = demo(STACKPRINT, STACKPRINT_DEMO);
	BOOST_TEST(s.status == 0);
	const char *const inside[] = {"futex", "poll", "pipe_read",
	    "nanosleep"};
	const char *const user[] = {"in_futex()", "in_poll()", "in_read()",
	    "in_nanosleep()", "spin_in_user_mode()", "spin_in_system_calls()"};
	for (int i = 0; i < 4; i++)
		BOOST_TEST(has(block(s, names[i]), inside[i]), names[i]);
	for (int i = 0; i < 6; i++) {
		const std::string text = block(s, names[i]);
		BOOST_TEST(has(text, user[i]), names[i] << ": " << text);
		BOOST_TEST(has(text, "          complete"), names[i]);
	}
	for (const char *name : names)
		BOOST_TEST(block(s, name) != "", name);
	BOOST_TEST(has(last_line(s), "7 threads: "));
	BOOST_TEST(has(last_line(s), "0 failed, 0 refused, 0 gone"));
}

BOOST_AUTO_TEST_CASE(degrades_in_words,
    *description("without rights the demo shows the threads and says what "
    "is missing"))
{
	const said s = demo(STACKPRINT_FAKE, STACKPRINT_DEMO, "no-rights");
	BOOST_TEST(s.status == 0);
	for (const char *name : names)
		BOOST_TEST(has(block(s, name), "none: "), name);
	BOOST_TEST(has(s.err, "stackprint --check"));
	BOOST_TEST(has(last_line(s), "7 threads: 0 captured"));
	BOOST_TEST(has(last_line(s), "7 refused"));
}

BOOST_AUTO_TEST_CASE(a_target_that_does_not_start_is_an_error,
    *description("the demo fails if its target does"))
{
	const said s = demo(STACKPRINT_FAKE, "/bin/false");
	BOOST_TEST(s.status == 1);
	BOOST_TEST(has(s.err, "did not start"));
}

BOOST_AUTO_TEST_SUITE_END()
