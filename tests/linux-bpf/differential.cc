// Compares our frames of a thousand sleeping threads with /proc/TID/stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <map>

#include "core_calls.h"
#include "require.h"
#include "kernel_capture.h"

BOOST_AUTO_TEST_SUITE(differential)

BOOST_AUTO_TEST_CASE(a_thousand_threads_equal_proc_thread_by_thread,
    *needs("bpf") * needs("root") * boost::unit_test::description(
    "stack9_each: Captures every thread of process pid in one pass"))
{
	std::vector<doing> threads;
	for (int i = 0; i < 1000; i++)
		threads.push_back(all_sleepers[i % std::size(all_sleepers)]);
	const victim v(threads);
	std::map<pid_t, std::vector<std::string>> ours;
	BOOST_REQUIRE_EQUAL(core::each(STACK9_KERNEL, v.pid(),
	    [](void *arg, const stack9::stack_record *rec) {
		    auto &all = *static_cast<std::map<pid_t,
			std::vector<std::string>> *>(arg);
		    BOOST_TEST(rec->error == 0);
		    BOOST_TEST(rec->why == STACK9_WHY_NONE);
		    all[rec->thread.tid] = named(*rec);
		    return 0;
	    }, &ours), 0);
	BOOST_TEST(ours.size() == 1000u);
	int differ = 0;
	for (const pid_t tid : v.tids())
		if (ours[tid] != proc_stack(tid))
			differ++;
	BOOST_TEST(differ == 0);
}

BOOST_AUTO_TEST_SUITE_END()
