// stackprint(1), --async: who comes back, who does not, and why.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include <require.h>

#include "child.h"
#include "fake.h"
#include "lender.h"

using boost::unit_test::description;
using nlohmann::json;

namespace {

const char *const forever = "--async=3600";	// no test is to wait for it
const char *const briefly = "--async=0.01";

const char *const kernel_part =
    "  kernel  schedule+0x10\n"
    "          ep_poll+0x31e\n"
    "          nft_do_chain+0xa0  [nf_tables]\n"
    "          complete\n";

said
async(const char *wait, std::vector<pid_t> tids,
    std::vector<std::string> more = {}, const std::string &words = "")
{
	more.insert(more.begin(), wait);
	for (const pid_t t : tids)
		more.push_back(std::to_string(t));
	return stackprint(more, words);
}

std::string
header(pid_t tid)
{
	return "nginx  pid 5000000  tid " + std::to_string(tid) +
	    "  sleeping in ep_poll, cpu 1\n";
}

std::vector<pid_t>
many(int n)
{
	std::vector<pid_t> tids;
	for (int i = 0; i < n; i++)
		tids.push_back(fake::mass + i);
	return tids;
}

json
first_object(const said &s)
{
	return json::parse(s.out.substr(0, s.out.find('\n')));
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

BOOST_AUTO_TEST_CASE(kernel_threads,
    *description("--async: -u leaves kernel threads out unless they are "
    "named"))
{
	const said s = async(forever, {fake::kthread}, {"-u"});
	BOOST_TEST(has(s.out, "  user    none: a kernel thread: it has no user "
	    "stack\n"));
	BOOST_TEST(has(s.out, " 1 kernel threads, 0 failed"));
}

BOOST_AUTO_TEST_CASE(not_allowed,
    *description("OUTPUT: none and why: of a submission that is refused, what "
    "the first route says that refuses"))
{
	const std::string self = std::to_string(getpid());
	const said s = stackprint({"--async", self, self}, "no-rights");
	BOOST_TEST(s.status == 2);
	const char *none = "none: needs task work\n";
	BOOST_TEST(has(s.out, std::string("  kernel  ") + none + "  user    " +
	    none));
	BOOST_TEST(has(s.out, " 0 failed, 2 refused, 0 gone\n"));
	const json object = first_object(stackprint({"--json", "--async",
	    self}, "no-rights"));
	BOOST_TEST(object["user"]["route"] == "task-work");
	BOOST_TEST(object["user"]["why"] == "rights");
}

BOOST_AUTO_TEST_CASE(not_on_this_machine,
    *description("DIAGNOSTICS: there are no asynchronous captures here"))
{
	const std::string self = std::to_string(getpid());
	const said s = stackprint({"--async", self}, "no-async");
	BOOST_TEST(s.status == 2);
	BOOST_TEST(has(s.out, "  user    none: needs task work\n"));
	BOOST_TEST(has(s.out, " 1 failed, 0 refused"));
	BOOST_TEST(has(s.err, "stackprint: there are no asynchronous captures "
	    "here; without --async user stacks are copied where threads "
	    "sleep\n"));
}

BOOST_AUTO_TEST_CASE(room_for_all,
    *description("--async: as many at a time as 4096 are submitted, and all "
    "are given back"))
{
	const said few = async(forever, many(3), {}, "async-told");
	BOOST_TEST(has(few.err, "limit: 3 captures, 1048576 bytes\nsubmit"));
	BOOST_TEST(has(few.err, "most held 3, still held 0\n"));
	const said all = async(forever, many(5000), {}, "async-told");
	BOOST_TEST(has(all.err, "limit: 4096 captures, 16777216 bytes\n"));
	BOOST_TEST(has(all.err, "most held 4096, still held 0\n"));
	BOOST_TEST(has(all.out, "5000 threads: 5000 captured, 0 partial"));
}

BOOST_AUTO_TEST_CASE(where_there_is_less_room,
    *description("--async: those for which there is no room come after the "
    "others"))
{
	const said s = async(briefly, {fake::mass, fake::away, fake::slow,
	    fake::whole, fake::mass + 1}, {}, "two-slots,async-told");
	BOOST_TEST(has(s.out, "5 threads: 4 captured, 1 partial"));
	BOOST_TEST(has(s.err, "most held 2, still held 0\n"));
	BOOST_TEST(s.out.find("tid 5000051 ") < s.out.find("tid 5000052 "));
	const said none = async(forever, {fake::whole}, {"--json"},
	    "no-slots");
	BOOST_TEST(none.status == 2);
	BOOST_TEST(first_object(none)["kernel"]["why"] == "resource");
	BOOST_TEST(first_object(none)["kernel"]["reason"] == "there is no room "
	    "for one more asynchronous capture");
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

BOOST_AUTO_TEST_CASE(with_rights_of_the_file, *needs("root")
    *description("RIGHTS: --async asks before the submission and after the "
    "wait; what is mapped is looked at before, with the caller's rights"))
{
	const victim own(nobody, true), roots(0, true);
	const lender lends("cap_bpf,cap_perfmon,cap_syslog+ep");
	const said s = lends({forever, own.name()}, "rights");
	BOOST_TEST(s.status == 0);
	BOOST_TEST(has(s.out, " epoll_wait+"));
	BOOST_TEST(has(s.err, "open: effective 0 permitted 1 euid 0\n"
	    "submit: effective 1"));
	BOOST_TEST(!has(s.err, "name: effective 1"));
	const said theirs = lends({forever, roots.name()}, "async-told");
	BOOST_TEST(theirs.status == 2);
	BOOST_TEST(has(theirs.out, "none: not yours"));
	BOOST_TEST(!has(theirs.err, "submit"));
	const said turned = lends({forever, own.name()}, "turn,async-told");
	BOOST_TEST(has(turned.out, "none: not yours"));
	BOOST_TEST(!has(turned.out, "epoll_wait"));
	BOOST_TEST(has(turned.err, "submit"));
	BOOST_TEST(has(turned.err, "still held 0\n"));
}

BOOST_AUTO_TEST_SUITE_END()
