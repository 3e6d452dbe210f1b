// Tests stackprint that captures several times: --follow, --changes, --stuck.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <chrono>
#include <string>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "child.h"
#include "followed.h"
#include "require.h"

using boost::unit_test::description;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

std::string
tid_of(pid_t tid)
{
	return "  tid " + std::to_string(tid) + "  ";
}

std::vector<std::string>
following(const followed &f, const std::vector<std::string> &more = {})
{
	std::vector<std::string> command{STACKPRINT, "-k", "--follow=0.05",
	    "-p", std::to_string(f.pid)};
	command.insert(command.end(), more.begin(), more.end());
	return command;
}

// The next object that is wanted.
template <class F>
json
object(running_program &p, F is_wanted)
{
	for (;;) {
		const std::string line = p.until("\n");
		BOOST_REQUIRE(!line.empty());
		const json j = json::parse(line);
		if (is_wanted(j))
			return j;
	}
}

} // namespace

BOOST_AUTO_TEST_SUITE(follow, *needs("bpf"))

BOOST_AUTO_TEST_CASE(those_that_have_run, *description(
    "Print the threads, and then again and again those that have run since "
    "they were captured, every seconds:"))
{
	const followed f(20);
	running_program p(following(f));
	const std::string first = p.until("0 ran, 0 changed, 0 new, 0 gone\n");
	BOOST_TEST(has(first, "  22 threads\n"));
	BOOST_TEST(times(first, "  tid ") == 22u);
	BOOST_TEST(times(first, ", for ") == 22u);
	f.move();
	// The first thread has run for it, too.
	std::string then = p.until(tid_of(f.mover));
	BOOST_TEST(!then.empty());
	then += p.until("0 ran, 0 changed, 0 new, 0 gone\n");
	BOOST_TEST(!has(then, "ran, 0 changed, 1 new"));
	BOOST_TEST(times(then, "  tid ") < 10u);
	p.interrupt();
	BOOST_TEST(p.end() == 0);
}

BOOST_AUTO_TEST_CASE(changes, *description(
    "If the stack of a thread has changed, the frames that have gone are "
    "printed with -, and those that have come with +; the outer frames that "
    "are as before are counted."))
{
	const followed f(2);
	running_program p(following(f, {"--changes"}));
	const std::string first = p.until("4 threads\n");
	BOOST_TEST(!has(first, "  tid "));
	f.move();
	BOOST_TEST(has(p.until(tid_of(f.mover)), " changed, 0 new, 0 gone\n"));
	const std::string moved = p.until(" as before\n");
	BOOST_TEST(has(moved, "  - "));
	BOOST_TEST(has(moved, "pipe_read+"));
	BOOST_TEST(has(moved, "  + "));
	BOOST_TEST(has(moved, "_pause+"));
	f.add();
	BOOST_TEST(!p.until("\nnew     ").empty());
	f.remove();
	BOOST_TEST(!p.until("\ngone    ").empty());
	p.interrupt();
	BOOST_TEST(p.end() == 0);
}

BOOST_AUTO_TEST_CASE(all_end, *description(
    "SIGINT (Ctrl-C) ends it, and so does the end of all threads."))
{
	followed f(1);
	running_program p(following(f, {"--changes"}));
	BOOST_TEST(!p.until("3 threads\n").empty());
	f.kill_and_wait();
	BOOST_TEST(!p.until("all threads have ended\n").empty());
	BOOST_TEST(p.end() == 0);
}

BOOST_AUTO_TEST_CASE(objects, *description(
    "a thread has members switches, how often it was taken off a CPU, "
    "watched_ns, for how long it is known not to have run, since_ns and "
    "since_most_ns, how long it is in its state, at least and at most, as "
    "stack9_waits(3) says."))
{
	followed f(1);
	running_program p(following(f, {"--json", "--changes"}));
	const std::string first = p.until("\n");
	const json look = json::parse(first);
	BOOST_TEST(look["schema"] == 1);
	BOOST_TEST(look["look"]["number"] == 1);
	BOOST_TEST(look["look"]["threads"] == 3);
	f.move();
	const json thread = object(p, [&](const json &j) {
		return j.value("tid", 0) == f.mover;
	});
	BOOST_TEST(thread["switches"] > 0);
	BOOST_TEST(thread["since_ns"] <= thread["since_most_ns"]);
	BOOST_TEST(thread["since_most_ns"] < 30'000'000'000);
	const json &kernel = thread["change"]["kernel"];
	BOOST_TEST(kernel["as_before"] > 0);
	BOOST_TEST(kernel["gone"].size() > 0u);
	f.kill_and_wait();
	const json gone = object(p, [&](const json &j) {
		return j.count("gone") != 0;
	});
	BOOST_TEST(gone["gone"]["pid"] == thread["pid"]);
}

BOOST_AUTO_TEST_CASE(stuck, *description(
    "--stuck: print only those that have not run meanwhile, with what they "
    "wait for"))
{
	const followed f(2, true);
	const std::string pid = std::to_string(f.pid);
	said s, j;
	f.while_awake(200ms, [&] {
		s = run({STACKPRINT, "--stuck=0.2", "-p", pid});
		BOOST_TEST(s.status == 0);
		BOOST_TEST(has(s.out, tid_of(f.mover)));
	});
	BOOST_TEST(times(s.out, "  tid ") == 4u);
	BOOST_TEST(!has(s.out, tid_of(f.waker)));
	BOOST_TEST(times(s.out, "  waits   for ") == 4u);
	BOOST_TEST(has(s.out, "5 threads: 4 did not run for 200 ms\n"));
	f.while_awake(100ms, [&] {
		j = run({STACKPRINT, "--stuck=0.1", "--json", "-k", "-p", pid});
		BOOST_TEST(has(j.out, ",\"threads\":5}\n"));
	});
	BOOST_TEST(has(j.out, "{\"schema\":1,\"stuck\":4,\"threads\":5}\n"));
	BOOST_TEST(times(j.out, "\"watched_ns\":") == 4u);
	BOOST_TEST(times(j.out, "\"wait\":{") == 4u);
}

BOOST_AUTO_TEST_CASE(wrong_words)
{
	for (const std::vector<std::string> &words :
	    std::vector<std::vector<std::string>>{{"--changes"},
	    {"--follow", "--stuck"}, {"--follow", "--group"},
	    {"--stuck", "--why"}, {"--top", "--json"}, {"--follow=x"}}) {
		std::vector<std::string> command{STACKPRINT, "-a"};
		command.insert(command.end(), words.begin(), words.end());
		BOOST_TEST(run(command).status == 64);
	}
	const said gone = run({STACKPRINT, "--follow", "-p", "1073741823"});
	BOOST_TEST(gone.status == 2);
	BOOST_TEST(has(gone.err, "No such process"));
}

BOOST_AUTO_TEST_SUITE_END()
