// Tests stackprint(1), --group.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include "child.h"
#include "fake.h"

using boost::unit_test::description;

namespace {

const char *const usual =
    "  kernel  schedule+0x10\n"
    "          ep_poll+0x31e\n"
    "          nft_do_chain+0xa0  [nf_tables]\n"
    "          complete\n"
    "  user    epoll_wait+0x5e                 libc.so.6\n"
    "          ngx::process::events(int)+0x4d  nginx (deleted)\n"
    "          ngx_worker_process_cycle+0x8b   nginx (deleted)\n"
    "          main+0x9c5                      nginx (deleted)\n"
    "          complete\n";

} // namespace

BOOST_AUTO_TEST_SUITE(grouped)

BOOST_AUTO_TEST_CASE(equal_stacks_once,
    *description("--group: Print equal stacks once, with the number of threads "
    "and their ids."))
{
	const said s = stackprint({"--group", "-p", "5000100"});
	BOOST_TEST(s.out == "2000 threads  nginx  pid 5000100  sleeping in "
	    "ep_poll\n" + std::string(usual) + "  tids    5000101-5002100\n"
	    "2000 threads: 2000 captured, 0 partial, 0 failed, 0 refused, "
	    "0 gone\n");
	BOOST_TEST(s.status == 0);
}

BOOST_AUTO_TEST_CASE(of_several_processes,
    *description("--group: So the processes of one program are together, "
    "wherever it was loaded."))
{
	const std::string self = std::to_string(getpid());
	const said two = stackprint({"--group", "5000001", self});
	BOOST_TEST(has(two.out, "2 threads of 2 processes  nginx, someone  "
	    "sleeping in ep_poll\n" + std::string(usual)));
}

BOOST_AUTO_TEST_CASE(the_most_frequent_first,
    *description("--group: The most frequent stacks come first."))
{
	const said s = stackprint({"--group", "5000008", "5000001", "5000018",
	    "5000001", "5000018", "5000001"});
	const auto three = s.out.find("3 threads  nginx"),
	    two = s.out.find("2 threads  strange"),
	    one = s.out.find("1 thread  spin");
	BOOST_TEST((three < two && two < one && one != s.out.npos));
}

BOOST_AUTO_TEST_CASE(what_is_missing_is_part_of_it,
    *description("--group: What is missing and why has to be equal too."))
{
	const said s = stackprint({"--group", "5000001", "5000015", "5000017"});
	BOOST_TEST(times(s.out, "1 thread  ") == 3u);
}

BOOST_AUTO_TEST_CASE(each_thread_is_in_one_group,
    *description("--group: each thread is in one group"))
{
	const said s = stackprint({"--group", "-p", "5000000"});
	for (pid_t t = fake::whole; t < fake::end; t++)
		if (t != fake::zombie)
			BOOST_TEST(times(s.out, "  tids    " +
			    std::to_string(t)) == 1u, t);
	BOOST_TEST(has(s.err, "tid 5000010: a zombie"));
}

BOOST_AUTO_TEST_SUITE_END()
