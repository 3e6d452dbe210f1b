// Tests stackcount(1), OUTPUT: counted stacks for people.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "programs.h"

using boost::unit_test::description;

namespace {

std::string
out(const arguments &args)
{
	return stackcount(args).out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(counts)

BOOST_AUTO_TEST_CASE(from_the_least_to_the_most_frequent,
    *description("OUTPUT: stacks from the least to the most frequent, each "
    "with its frames innermost first, those of the kernel before those of "
    "user space, and how often it was"))
{
	BOOST_TEST(out({"whole"}) ==
	    "  schedule\n"
	    "  ep_poll\n"
	    "  nft_do_chain  [nf_tables]\n"
	    "    1\n"
	    "\n"
	    "  do_exit\n"
	    "  epoll_wait  [libc.so.6]\n"
	    "  ngx::process::events(int)  [nginx (deleted)]\n"
	    "  ngx_worker_process_cycle  [nginx (deleted)]\n"
	    "  main  [nginx (deleted)]\n"
	    "    4\n"
	    "\n"
	    "  schedule\n"
	    "  ep_poll\n"
	    "  nft_do_chain  [nf_tables]\n"
	    "  epoll_wait  [libc.so.6]\n"
	    "  ngx::process::events(int)  [nginx (deleted)]\n"
	    "  ngx_worker_process_cycle  [nginx (deleted)]\n"
	    "  main  [nginx (deleted)]\n"
	    "    5\n"
	    "\n"
	    "10 events: 10 kept, 4 stacks\n");
}

BOOST_AUTO_TEST_CASE(k_and_u_restrict,
    *description("-k, -u: kernel stacks only, user stacks only; "
    "stacks that read the same are one"))
{
	const std::string kernel = out({"-k", "whole"});
	BOOST_TEST(!has(kernel, "main"));
	BOOST_TEST(has(kernel, "  nft_do_chain  [nf_tables]\n    6\n"));
	const std::string user = out({"-u", "whole"});
	BOOST_TEST(!has(user, "schedule"));
	BOOST_TEST(has(user, "  main  [nginx (deleted)]\n    9\n"));
}

BOOST_AUTO_TEST_CASE(a_side_that_is_not_there_says_so,
    *description("OUTPUT: with -u a kernel thread has a line in brackets, "
    "with -k a thread in user mode"))
{
	BOOST_TEST(has(out({"-u", "whole"}),
	    "  [no user stack: a kernel thread: it has no user stack]\n"
	    "    1\n"));
	BOOST_TEST(has(out({"-k", "odd"}),
	    "  [no kernel stack: running in user mode]\n    1\n"));
}

BOOST_AUTO_TEST_CASE(p_reports_processes_apart,
    *description("-P: Count each process for itself, and print its name and "
    "id."))
{
	const std::string all = out({"-P", "whole"});
	BOOST_TEST(has(all, "  main  [nginx (deleted)]\n"
	    "    nginx [5000000]\n    2\n"));
	BOOST_TEST(has(all, "]\n    3\n"));
	BOOST_TEST(has(all, "  nft_do_chain  [nf_tables]\n    kworker/0:1 ["));
	BOOST_TEST(times(all, "    nginx [") == 2u);
}

BOOST_AUTO_TEST_CASE(d_delimits,
    *description("-d: Print -- as a frame between the kernel frames and the "
    "user frames, where a stack has both."))
{
	BOOST_TEST(has(out({"-d", "whole"}),
	    "  do_exit\n  --\n  epoll_wait  [libc.so.6]\n"));
	BOOST_TEST(times(out({"-d", "whole"}), "  --\n") == 2u);
	BOOST_TEST(!has(out({"-dk", "whole"}), "--"));
}

BOOST_AUTO_TEST_CASE(s_and_v_report_more,
    *description("-s: the distance from the function's start; -v: "
    "raw addresses and whole paths, so that stacks are told apart by them"))
{
	const std::string s = out({"-s", "whole"});
	BOOST_TEST(has(s, "  ngx::process::events(int)+0x4d  "
	    "[nginx (deleted)]\n"));
	BOOST_TEST(has(s, "  schedule+0x10\n"));
	BOOST_TEST(has(s, "    5\n"));
	const std::string v = out({"-v", "whole"});
	BOOST_TEST(has(v, "  0xffffffff81000010  schedule\n"));
	BOOST_TEST(has(v,
	    "  0x00005555555559c5  main  [/usr/sbin/nginx (deleted)]\n"
	    "    2\n"));
	BOOST_TEST(has(v,
	    "  0x00005555565559c5  main  [/usr/sbin/nginx (deleted)]\n"
	    "    3\n"));
}

BOOST_AUTO_TEST_CASE(names_as_asked_for,
    *description("-R, -I, -l, --debuginfod"))
{
	BOOST_TEST(has(out({"--raw", "whole"}),
	    "  _ZN3ngx7process6eventsEi  [nginx (deleted)]\n"));
	BOOST_TEST(has(out({"--inlines", "whole"}),
	    "  ngx::step() (inlined)  [nginx (deleted)]\n"
	    "  ngx::process::events(int)  [nginx (deleted)]\n"));
	BOOST_TEST(has(out({"--lines", "whole"}),
	    "  ngx::process::events(int)  [nginx (deleted)]  events.cc:800\n"
	    "  ngx_worker_process_cycle  [nginx (deleted)]\n"
	    "  main  [nginx (deleted)]  nginx.c:387\n"));
	BOOST_TEST(has(out({"--inlines", "--lines", "-v", "whole"}),
	    "  ngx::step() (inlined)  [/usr/sbin/nginx (deleted)]  "
	    "/src/step.h:12\n"));
	BOOST_TEST(has(out({"--lines", "--debuginfod", "whole"}),
	    "  ngx_worker_process_cycle  [nginx (deleted)]  cycle.c:721\n"));
	BOOST_TEST(out({"-R", "-I", "-l", "whole"}) ==
	    out({"--raw", "--inlines", "--lines", "whole"}));
}

BOOST_AUTO_TEST_CASE(what_is_missing_is_a_frame_in_brackets,
    *description("OUTPUT: In place of frames that are missing is the reason, "
    "in brackets."))
{
	const std::string all = out({"odd"});
	BOOST_TEST(has(all, "  nft_do_chain  [nf_tables]\n"
	    "  [kernel stack truncated]\n  epoll_wait  [libc.so.6]\n"));
	BOOST_TEST(has(all, "  main  [nginx (deleted)]\n"
	    "  [user stack truncated]\n"));
	BOOST_TEST(has(all, "  [no user stack: ptrace(2) was refused]\n"));
}

BOOST_AUTO_TEST_CASE(an_address_without_a_name_is_shown,
    *description("OUTPUT: an address without a name is shown as it is, in a "
    "file as the distance in it"))
{
	BOOST_TEST(has(out({"odd"}), "  0xffffffff90000000\n"
	    "  epoll_wait  [libc.so.6]\n  0x9123  [nginx (deleted)]\n"
	    "  0x7fff00000040\n"));
}

BOOST_AUTO_TEST_CASE(no_name_acts_on_the_terminal,
    *description("OUTPUT: Bytes other than printable ASCII are written as "
    "\\ooo in octal, and a backslash is doubled."))
{
	for (const auto program : {stackcount, stacksnoop}) {
		const arguments args = {"odd"};
		const said s = program(args, "interrupt");
		BOOST_TEST(has(s.out, "bad\\033[2J\\\\name\\012  [m\\001d]\n"));
		for (const char c : s.out + s.err)
			BOOST_TEST((c == '\n' || (c >= 0x20 && c < 0x7f)));
	}
	BOOST_TEST(has(out({"-P", "odd"}), "    a\\012\\033]0;b\\303\\233 ["));
}

BOOST_AUTO_TEST_CASE(offcpu_is_time,
    *description("OUTPUT: For offcpu the count is the microseconds blocked, by "
    "which the stacks are ordered, and the number of events."))
{
	const std::string all = out({"offcpu"});
	BOOST_TEST(has(all, "    40 us, 2 events\n"));
	BOOST_TEST(has(all, "    1500 us, 1 event\n"));
	BOOST_TEST(all.find("40 us") < all.find("1500 us"));
}

BOOST_AUTO_TEST_CASE(t_keeps_the_most_frequent,
    *description("-T: the most frequent only"))
{
	const std::string all = out({"-T", "2", "whole"});
	BOOST_TEST(!has(all, "    1\n"));
	BOOST_TEST(has(all, "    4\n"));
	BOOST_TEST(has(all, "    5\n"));
	BOOST_TEST(out({"--most", "99", "whole"}) == out({"whole"}));
}

BOOST_AUTO_TEST_CASE(i_prints_what_came_since,
    *description("-i: print in intervals what came since the last, "
    "with --cumulative since the beginning; -c ends it"))
{
	const said s = stackcount({"-i", "0.01", "-c", "5", "growing"}, "");
	BOOST_TEST(has(s.out, "  2 events, 1 stack\n\n"));
	BOOST_TEST(times(s.out, "  1 event, 1 stack\n\n") == 4u);
	BOOST_TEST(times(s.out, "    1\n") == 4u);
	BOOST_TEST(s.status == 0);
	const said c = stackcount({"-i", "0.01", "--cumulative", "-c", "5",
	    "growing"}, "");
	for (const char *n : {"2", "3", "4", "5", "6"})
		BOOST_TEST(times(c.out, std::string("    ") + n + "\n") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
