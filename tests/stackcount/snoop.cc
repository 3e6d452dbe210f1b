// Tests stacksnoop(1), OUTPUT: events as they happen, for people.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "programs.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(snoop)

BOOST_AUTO_TEST_CASE(an_event_is_a_line_and_its_stack,
    *description("OUTPUT: for each event its time, the thread's name, its "
    "process and id, the CPU and the event, and below it the stack"))
{
	const std::string all = stacksnoop({"whole"}).out;
	const char *begin =
	    "TIME(s)              COMM             PID/TID         CPU EVENT\n"
	    "1.123456789          nginx            5000000/5000001 1   whole\n"
	    "    schedule\n"
	    "    ep_poll\n"
	    "    nft_do_chain  [nf_tables]\n"
	    "    epoll_wait  [libc.so.6]\n"
	    "    ngx::process::events(int)  [nginx (deleted)]\n"
	    "    ngx_worker_process_cycle  [nginx (deleted)]\n"
	    "    main  [nginx (deleted)]\n"
	    "\n"
	    "2.123456789          nginx ";
	BOOST_TEST(all.substr(0, std::string(begin).size()) == begin);
	BOOST_TEST(times(all, "  whole\n") == 10u);
}

BOOST_AUTO_TEST_CASE(stacks_differ_by_what_they_are,
    *description("OUTPUT: each event has its own stack, however often the "
    "others came"))
{
	const std::string all = stacksnoop({"-v", "whole"}).out;
	BOOST_TEST(times(all, "0x00005555555559c5  main") == 6u);
	BOOST_TEST(times(all, "0x00005555565559c5  main") == 3u);
	BOOST_TEST(times(all, "do_exit") == 4u);
	const std::string odd = stacksnoop({"-k", "odd"}).out;
	BOOST_TEST(times(odd, "    0xffffffff90000000\n") == 1u);
	BOOST_TEST(times(odd, "    bad\\033[2J") == 1u);
}

BOOST_AUTO_TEST_CASE(options_of_stacks,
    *description("-k, -u, -d, -s, -v, -R, -I, -l"))
{
	const auto out = [](arguments args) {
		args.push_back("whole");
		return stacksnoop(args).out;
	};
	BOOST_TEST(!has(out({"-k"}), "main"));
	BOOST_TEST(!has(out({"-u"}), "schedule"));
	BOOST_TEST(has(out({"-d"}), "    do_exit\n    --\n    epoll_wait"));
	BOOST_TEST(has(out({"-s"}), "    schedule+0x10\n"));
	BOOST_TEST(has(out({"-v"}), "    0xffffffff81000010  schedule\n"));
	BOOST_TEST(has(out({"--raw"}), "    _ZN3ngx7process6eventsEi  ["));
	BOOST_TEST(has(out({"--inlines"}), "    ngx::step() (inlined)  ["));
	BOOST_TEST(has(out({"--lines"}),
	    "  [nginx (deleted)]  events.cc:800\n"));
	BOOST_TEST(out({"-RIl"}) == out({"--raw", "--inlines", "--lines"}));
}

BOOST_AUTO_TEST_CASE(losses_are_reported_where_they_were,
    *description("OUTPUT: The number of lost events is written in their "
    "place."))
{
	const std::string all =
	    stacksnoop({"whole"}, "interrupt dropping").out;
	const auto lost = all.find("[12 events lost here]\n");
	BOOST_REQUIRE(lost != all.npos);
	BOOST_TEST(all.find("1.123456789 ") < lost);
	BOOST_TEST(lost < all.find("2.123456789 "));
	BOOST_TEST(times(all, "lost here") == 1u);
}

BOOST_AUTO_TEST_CASE(offcpu_has_its_time,
    *description("OUTPUT: For offcpu the time that the thread was blocked "
    "follows the event."))
{
	const std::string all = stacksnoop({"offcpu"}).out;
	BOOST_TEST(has(all, "offcpu  1500 us\n"));
	BOOST_TEST(times(all, "offcpu  20 us\n") == 2u);
}

BOOST_AUTO_TEST_CASE(many_come_whole,
    *description("OUTPUT: as many as come, in blocks, none torn or twice"))
{
	const said s = stacksnoop({"-q", "-c", "20000", "flood"}, "");
	BOOST_TEST(times(s.out, "    main  [nginx (deleted)]\n\n") == 20000u);
	BOOST_TEST(has(s.out, "\n20000.123456789 "));
	BOOST_TEST(has(s.out, "\n20000 events: 20000 kept\n"));
}

BOOST_AUTO_TEST_SUITE_END()
