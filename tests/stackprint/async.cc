// Tests stackprint(1), --async: threads that come back, and that do not.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <csignal>

#include "async.h"

using boost::unit_test::description;
using nlohmann::json;

namespace {

const char *const kernel_part =
    "  kernel  schedule+0x10\n"
    "          ep_poll+0x31e\n"
    "          nft_do_chain+0xa0  [nf_tables]\n"
    "          complete\n";

std::string
header(pid_t tid)
{
	return "nginx  pid 5000000  tid " + std::to_string(tid) +
	    "  sleeping in ep_poll, cpu 1\n";
}

} // namespace

BOOST_AUTO_TEST_SUITE(asynchronous)

BOOST_AUTO_TEST_CASE(all_come_back,
    *description("--async: a thread that has returned to user space has both "
    "stacks, printed as without; the wait ends when all have"))
{
	for (const char *side : {"-ku", "-k", "-u"}) {
		const said s = async(forever, {fake::whole, fake::user_mode,
		    fake::kthread, fake::deep}, {side});
		BOOST_TEST(s.status == 0);
		BOOST_TEST(s.out == stackprint({side, "5000001", "5000008",
		    "5000014", "5000050"}).out);
		BOOST_TEST(s.err == "");
	}
}

BOOST_AUTO_TEST_CASE(everything_that_can_become_of_one,
    *description("OUTPUT: with --async too: complete, truncated, none and "
    "why; the counts"))
{
	std::vector<std::string> tids;
	for (pid_t t = fake::whole; t < fake::end; t++)
		tids.push_back(std::to_string(t));
	const said without = stackprint(tids);
	tids.insert(tids.begin(), forever);
	const said with = stackprint(tids);
	BOOST_TEST(with.out == without.out);
	BOOST_TEST(with.status == without.status);
}

BOOST_AUTO_TEST_CASE(who_is_slow_is_waited_for,
    *description("--async: Then stackprint waits until all threads have "
    "returned."))
{
	const said s = async(forever, {fake::slow, fake::whole, fake::slow});
	BOOST_TEST(s.status == 0);
	BOOST_TEST(s.out.substr(0, s.out.find('\n') + 1) ==
	    header(fake::slow));
	BOOST_TEST(has(s.out, "3 threads: 3 captured, 0 partial"));
}

BOOST_AUTO_TEST_CASE(one_second_unless_given,
    *description("--async: one second unless given; threads that return are "
    "not kept waiting"))
{
	BOOST_TEST(async("--async", {fake::whole}).status == 0);
	BOOST_TEST(has(async("--async", {fake::away}).out,
	    "it has not returned to user space in 1 s\n"));
}

BOOST_AUTO_TEST_CASE(who_does_not_come_back,
    *description("--async: of a thread that does not return there is the "
    "kernel stack, and that it has not returned; it counts as partial"))
{
	const said s = async(briefly, {fake::away});
	BOOST_TEST(s.out == header(fake::away) + kernel_part +
	    "  user    none: it has not returned to user space in 0.01 s\n"
	    "1 thread: 0 captured, 1 partial, 0 failed, 0 refused, 0 gone\n");
	BOOST_TEST(s.status == 1);
	BOOST_TEST(s.err == "stackprint: some threads have not returned to "
	    "user space: --now wakes those that sleep; without --async user "
	    "stacks are copied where threads sleep\n");
	const said some = async("--async=0", {fake::whole, fake::away,
	    fake::away});
	BOOST_TEST(has(some.out, "3 threads: 1 captured, 2 partial"));
	BOOST_TEST(times(some.out, "none: it has not returned to user space "
	    "yet\n") == 2u);
	BOOST_TEST(times(some.err, "--now") == 1u);
}

BOOST_AUTO_TEST_CASE(an_interrupt_ends_the_wait,
    *description("--async: SIGINT (Ctrl-C) or SIGTERM ends the wait: what "
    "there is by then is printed, and stackprint ends by that signal."))
{
	const said s = async(forever, {fake::whole, fake::away}, {},
	    "interrupt");
	BOOST_TEST(s.status == 128 + SIGINT);
	BOOST_TEST(has(s.out, header(fake::away) + kernel_part +
	    "  user    none: it has not returned to user space yet\n"));
	BOOST_TEST(has(s.out, "2 threads: 1 captured, 1 partial, 0 failed"));
	const said more = async(forever, {fake::away, fake::away, fake::away},
	    {}, "interrupt two-slots");
	BOOST_TEST(more.status == 128 + SIGINT);
	BOOST_TEST(has(more.out, "2 threads: 0 captured, 2 partial"));
	BOOST_TEST(has(more.err, "stackprint: interrupted before all threads "
	    "were asked: 1 missing\n"));
	// Nothing is missing: the signal comes too late to matter.
	BOOST_TEST(async(forever, {fake::whole}, {}, "").status == 0);
}

BOOST_AUTO_TEST_CASE(sides_alone,
    *description("--async: with -u a thread that does not return is a "
    "failure; with -k there is nothing to wait for"))
{
	const said user = async(briefly, {fake::away}, {"-u"});
	BOOST_TEST(user.status == 2);
	BOOST_TEST(has(user.err, "tid 5000051: it has not returned to user "
	    "space in 0.01 s\n"));
	BOOST_TEST(has(user.out, "1 thread: 0 captured, 0 partial, 0 kernel "
	    "threads, 1 failed, 0 refused, 0 gone\n"));
	const said kernel = async(forever, {fake::away}, {"-k"});
	BOOST_TEST(kernel.status == 0);
	BOOST_TEST(kernel.out == header(fake::away) + kernel_part +
	    "1 thread: 1 captured, 0 partial, 0 in user mode, 0 failed, "
	    "0 refused, 0 gone\n");
}

BOOST_AUTO_TEST_CASE(nobody_is_woken_unasked,
    *description("--now: Wake the threads that sleep."))
{
	const char *told = "submit: tid 5000051 side 3 flags ";
	const said free = async(briefly, {fake::away}, {}, "async-told");
	BOOST_TEST(has(free.err, told + std::string("0\n")));
	const said woken = async(briefly, {fake::away}, {"--now"},
	    "async-told");
	BOOST_TEST(has(woken.err, told + std::string("1\n")));
	BOOST_TEST(has(woken.err, "though --now woke those that a signal "
	    "wakes; without --async "));
	BOOST_TEST(has(woken.out, "in 0.01 s\n"));
}

BOOST_AUTO_TEST_CASE(who_ends_meanwhile,
    *description("--async: a thread that ends before it returns has its "
    "kernel stack; one that had ended is gone"))
{
	const said s = async(forever, {fake::ending});
	BOOST_TEST(s.out == header(fake::ending) + kernel_part +
	    "  user    none: it ended before it returned to user space\n"
	    "1 thread: 0 captured, 1 partial, 0 failed, 0 refused, 0 gone\n");
	BOOST_TEST(s.status == 1);
	const said late = async(forever, {fake::ended, fake::process});
	BOOST_TEST(late.err == "stackprint: tid 5000054: no such thread\n"
	    "stackprint: tid 5000000: no such thread\n");
	BOOST_TEST(has(late.out, " 2 gone\n"));
	BOOST_TEST(late.status == 2);
}

BOOST_AUTO_TEST_CASE(who_cannot_be_had,
    *description("OUTPUT: none and why: a thread that has only just begun, a "
    "capture that was taken back"))
{
	const json young = first_object(async(forever, {fake::young},
	    {"--json"}));
	BOOST_TEST(young["kernel"]["why"] == "moved");
	BOOST_TEST(young["kernel"]["reason"] == "it has only just begun");
	const said lost = async(forever, {fake::taken_back}, {"--json"});
	BOOST_TEST(first_object(lost)["user"]["reason"] ==
	    "its capture was taken back");
	BOOST_TEST(lost.status == 2);
	BOOST_TEST(has(lost.out, "\"failed\":1"));
}

BOOST_AUTO_TEST_CASE(for_programs_too,
    *description("JSON: late, and the reason; when_ns of a stack where it is "
    "another moment than the thread's"))
{
	const json there = first_object(async(forever, {fake::whole},
	    {"--json"}));
	BOOST_TEST(there["when_ns"] == 123456789);
	BOOST_TEST(!there["kernel"].contains("when_ns"));
	BOOST_TEST(there["user"]["when_ns"] == 123456999);
	const json user = first_object(async(forever, {fake::whole},
	    {"--json", "-u"}));
	BOOST_TEST(user["when_ns"] == 123456999);
	BOOST_TEST(!user["user"].contains("when_ns"));
	const json away = first_object(async(briefly, {fake::away},
	    {"--json"}));
	BOOST_TEST(away["kernel"]["complete"] == true);
	const json expected = json::parse(R"({"complete": false, "why": "away",
	    "reason": "it has not returned to user space in 0.01 s",
	    "dropped": 0, "frames": []})");
	BOOST_TEST(away["user"] == expected);
}

BOOST_AUTO_TEST_CASE(equal_ones_once,
    *description("--group: with --async too"))
{
	const said s = async(briefly, {fake::away, fake::whole, fake::away,
	    fake::slow}, {"--group"});
	BOOST_TEST(times(s.out, "2 threads  nginx  pid 5000000") == 2u);
	BOOST_TEST(times(s.out, "it has not returned") == 1u);
}

BOOST_AUTO_TEST_CASE(a_process,
    *description("-p: with --async each of its threads is submitted; a thread "
    "that is not its process's first is no process"))
{
	const said s = stackprint({forever, "-p", std::to_string(getpid())});
	BOOST_TEST(s.status == 0);
	BOOST_TEST(has(s.out, "1 thread: 1 captured"));
	const said none = stackprint({forever, "-p", "4999999"});
	BOOST_TEST(none.err == "stackprint: pid 4999999: no such process\n");
	BOOST_TEST(none.status == 2);
	BOOST_TEST(stackprint({forever, "-p", "5000001"}).err ==
	    "stackprint: pid 5000001: no such process\n");
}

BOOST_AUTO_TEST_SUITE_END()
