// Checks the ways in which goroutines are given: kept samples, values of C++,
// errors, and stackprint.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9_coroutines.hpp>

#include "go_program.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

namespace {

int
stop_at_once(void *, const stack9_coroutine *)
{
	return 1;
}

int
keep(void *to, const stack9_coroutine *c)
{
	static_cast<std::vector<stack9_sample *> *>(to)->push_back(
	    stack9_sample_hold(c->sample));
	return 0;
}

int
keep_name(void *to, const stack9_frame *f)
{
	*static_cast<std::string *>(to) = f->name;
	return 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(samples_outlive_the_process, *has_go() * SAYS(
    "stack9_sample_hold() keeps it: the stack and its names"))
{
	std::vector<stack9_sample *> held;
	{
		const go_program p("wait");
		const stack9_thread td{p.pid(), p.pid(), 0};
		BOOST_TEST(stack9_coroutines(&td, nullptr, stop_at_once,
		    nullptr) == ECANCELED);
		BOOST_REQUIRE_EQUAL(stack9_coroutines(&td, nullptr, keep,
		    &held), 0);
	}
	BOOST_TEST(held.size() > 50u);
	std::size_t cut = 0;
	for (stack9_sample *const s : held) {
		std::string last;
		BOOST_TEST(stack9_frames(s->user, 0, keep_name, &last) == 0);
		cut += s->user->dropped != 0;
		BOOST_TEST((s->user->dropped != 0 || s->user->error == EAGAIN ||
		    last.starts_with("runtime.goexit")));
		stack9_sample_close(s);
	}
	BOOST_TEST(cut == 1u);	// deep(3000)
}

BOOST_AUTO_TEST_CASE(values_of_cxx, *has_go() * SAYS(
    "DESCRIPTION: For C++ there is <stack9_coroutines.hpp>"))
{
	const go_program p("wait");
	const auto process = stack9::thread::find(p.pid());
	const auto all = stack9::coroutines_of(process);
	BOOST_TEST(all.size() > 50u);
	BOOST_TEST(std::count_if(all.begin(), all.end(),
	    [](const stack9::coroutine &c) {
		    return c.state == "chan receive" && c.runtime == "go" &&
			c.sample.user().depth() >= 6;
	    }) >= 40);
	std::size_t calls = 0;
	BOOST_TEST((stack9::for_each_coroutine(process,
	    [&](const stack9::coroutine &) {
		    calls++;
		    return stack9::go::stop;
	    }) == stack9::go::stop));
	BOOST_TEST(calls == 1u);
	BOOST_TEST(stack9::coroutines_of(stack9::thread::find(getpid()),
	    stack9::as_result).error() == ENOENT);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said, *SAYS(
    "RETURN VALUES: ENOENT, ESRCH, EINVAL"))
{
	goroutines none;
	stack9_thread td{getpid(), getpid(), 0};
	BOOST_TEST(find(getpid(), none) == ENOENT);
	BOOST_TEST(stack9_reason() == std::string("it has no runtime that is "
	    "known, such as Go's"));
	BOOST_TEST(stack9_coroutines(nullptr, nullptr, stop_at_once,
	    nullptr) == EINVAL);
	BOOST_TEST(stack9_coroutines(&td, nullptr, nullptr, nullptr) == EINVAL);
	stack9_save_options o{};
	BOOST_TEST(stack9_coroutines(&td, &o, stop_at_once, nullptr) ==
	    EINVAL);
	td.start = 1;
	BOOST_TEST(stack9_coroutines(&td, nullptr, stop_at_once, nullptr) ==
	    ESRCH);
	const pid_t child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, nullptr, 0);
	BOOST_TEST(find(child, none) == ESRCH);
}

namespace {

std::string
output_of(const std::string &command, int &status)
{
	std::string text;
	FILE *const f = popen(command.c_str(), "r");
	std::array<char, 4096> part;
	for (std::size_t n; (n = fread(part.data(), 1, part.size(), f)) > 0;)
		text.append(part.data(), n);
	status = WEXITSTATUS(pclose(f));
	return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(stackprint_shows_them, *has_go() * SAYS(
    "The goroutines of a Go program that run on no thread follow its threads."))
{
	const go_program p("wait");
	int status;
	const std::string command = fmt::format(STACKPRINT " -u -p {} 2>&1",
	    p.pid());
	const std::string all = output_of(command, status);
	BOOST_TEST(status == 1);	// deep(3000) is cut
	BOOST_TEST(all.find(fmt::format("\n40 goroutines  goroutines  pid {}  "
	    "chan receive\n  user    runtime.gopark+", p.pid())) != all.npos,
	    all);
	BOOST_TEST(all.find("\n  goids   ") != all.npos, all);
	BOOST_TEST(all.find("  IO wait\n  user    ") != all.npos, all);
	const auto tally = all.find(" goroutines on no thread: ");
	BOOST_TEST(tally != all.npos);
	BOOST_TEST(all.find(" threads: ", tally) != all.npos);
	const std::string each = output_of(command + " --no-group", status);
	BOOST_TEST(each.find("\n40 goroutines") == each.npos);
	BOOST_TEST(each.find("  goids   ") == each.npos);
	const std::string none = output_of(command + " --no-goroutines",
	    status);
	BOOST_TEST(status == 0);
	BOOST_TEST(none.find("goroutine ") == none.npos);
	const std::string json = output_of(command + " --json --frames 4096",
	    status);
	BOOST_TEST(status == 0);
	for (const char *const part : {
	    "{\"schema\":1,\"coroutines_of\":\"go\",\"pid\":",
	    ",\"state\":\"select\",\"user\":{\"complete\":true,",
	    "\"coroutines\":"})
		BOOST_TEST(json.find(part) != json.npos, part);
}
