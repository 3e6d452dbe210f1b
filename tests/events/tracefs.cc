// Tests tracepoints with a tracefs that only a process of the test's own sees.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <filesystem>
#include <sstream>

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "found.h"
#include "mounts.h"
#include "require.h"

using labels = std::set<std::string>;

namespace {

// The labels that the event stands for there, or the sentence.
std::string
ask(const std::string &event)
{
	const found f(event);
	std::string s;
	for (const std::string &label : f.labels())
		s += label + "\n";
	return f.error == 0 ? s : f.why;
}

// The labels of a category's folder, with t:.
std::string
listed(const std::string &category)
{
	labels all;
	for (const auto &e : std::filesystem::directory_iterator(
	    "/sys/kernel/tracing/events/" + category))
		if (e.is_directory())
			all.insert("t:" + category + ":" +
			    e.path().filename().string());
	std::string s;
	for (const std::string &label : all)
		s += label + "\n";
	return s;
}

// The text that say() returns with tracefs mounted; "": it cannot be mounted.
template <class F>
std::string
where_it_is_mounted(F say)
{
	int ends[2];
	BOOST_TEST_REQUIRE(pipe(ends) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		if (!own_mounts() || mount("nodev",
		    "/sys/kernel/tracing", "tracefs", 0, nullptr) != 0)
			_exit(1);
		const std::string s = say();
		const ssize_t n = write(ends[1], s.data(), s.size());
		_exit(n < 0);
	}
	close(ends[1]);
	std::string said;
	char room[4096];
	for (ssize_t n; (n = read(ends[0], room, sizeof room)) > 0;)
		said.append(room, static_cast<std::size_t>(n));
	close(ends[0]);
	waitpid(pid, nullptr, 0);
	if (said.empty())
		BOOST_TEST_MESSAGE("tracefs cannot be mounted");
	return said;
}

boost::test_tools::assertion_result
can_be_mounted(boost::unit_test::test_unit_id)
{
	boost::test_tools::assertion_result r(!where_it_is_mounted([] {
		return std::string("yes"); }).empty());
	r.message() << "tracefs cannot be mounted here";
	return r;
}

const auto mountable = boost::unit_test::precondition(can_be_mounted);

} // namespace

BOOST_AUTO_TEST_SUITE(tracefs, *needs("root") *mountable)

BOOST_AUTO_TEST_CASE(a_tracepoints_category_is_reported)
{
	BOOST_TEST(where_it_is_mounted([] { return ask("t:sched_switch"); }) ==
	    "t:sched:sched_switch\n");
}

BOOST_AUTO_TEST_CASE(a_wrong_category_is_reported_with_the_right_one)
{
	const std::string said = where_it_is_mounted([] {
		return ask("t:block:sched_switch"); });
	BOOST_TEST(said.find("t:sched:sched_switch") != said.npos, said);
	BOOST_TEST(said.find("another category") != said.npos, said);
}

BOOST_AUTO_TEST_CASE(a_category_has_members)
{
	const std::string said = where_it_is_mounted([] {
		return ask("t:sched:*") == listed("sched") ? "the same" :
		    ask("t:sched:*") + "but " + listed("sched"); });
	BOOST_TEST(said == "the same");
}

BOOST_AUTO_TEST_SUITE_END()
