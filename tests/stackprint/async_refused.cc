// Tests stackprint(1), --async: submissions that are refused, have to wait for
// a free slot, or need the rights of the program's file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <require.h>

#include "async.h"
#include "lender.h"

using boost::unit_test::description;
using nlohmann::json;

namespace {

std::vector<pid_t>
many(int n)
{
	std::vector<pid_t> tids;
	for (int i = 0; i < n; i++)
		tids.push_back(fake::mass + i);
	return tids;
}

} // namespace

BOOST_AUTO_TEST_SUITE(asynchronous)

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
