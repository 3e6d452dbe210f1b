// Tests captures while others hold the loader's locks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

#include <link.h>

#include "robust_child.h"
#include "robust_plugins.h"
#include "robust_truth.h"

using boost::unit_test::description;

namespace {

// Another thread, inside what holds a lock of the loader's while it lives.
std::atomic<bool> inside{false};

void
stay_inside()
{
	inside = true;
	inside.notify_one();
	for (;;)
		std::atomic<bool>(true).wait(true);
}

int
stay_in_callback(dl_phdr_info *, std::size_t, void *)
{
	stay_inside();
	return 0;
}

void
hold_by_callback()
{
	std::thread([] {
		dl_iterate_phdr(stay_in_callback, nullptr);
	}).detach();
	inside.wait(false);
}

void
hold_by_constructor()
{
	in_constructor = stay_inside;
	std::thread([] { plugin(plugin::constructing).call(nullptr, nullptr); })
	    .detach();
	inside.wait(false);
}

void
agree_in_new_code()
{
	must_agree("where the loader's lock is held");
}

} // namespace

BOOST_AUTO_TEST_SUITE(locks)

BOOST_AUTO_TEST_CASE(no_capture_waits_for_a_walk_over_the_modules,
    *description("stack9_save_self() takes no lock"))
{
	BOOST_TEST(in_child([] {
		hold_by_callback();
		through_new_code<1>(agree_in_new_code);
	}, 10) == "");
}

BOOST_AUTO_TEST_CASE(no_capture_waits_for_a_library_that_is_being_loaded,
    *description("stack9_save_self() takes no lock"))
{
	BOOST_TEST(in_child([] {
		hold_by_constructor();
		through_new_code<2>(agree_in_new_code);
	}, 10) == "");
}

BOOST_AUTO_TEST_CASE(a_constructor_of_a_library_is_captured_through)
{
	BOOST_TEST(in_child([] {
		in_constructor = [] {
			must_agree("in a constructor under dlopen()");
		};
		const plugin p(plugin::constructing);
	}) == "");
}

BOOST_AUTO_TEST_CASE(a_fork_while_the_lock_is_held_leaves_captures_whole,
    *description("A child forked by a process of several threads captures its "
    "own stack as its parent did, even if another thread had taken locks"))
{
	BOOST_TEST(in_child([] {
		hold_by_callback();
		const std::string said = in_child([] {
			through_new_code<3>(agree_in_new_code);
		}, 10);
		if (!said.empty())
			broken("the forked child %s", said.c_str());
	}) == "");
}

BOOST_AUTO_TEST_CASE(a_fork_of_a_fork_captures_what_its_parent_knew_and_more)
{
	BOOST_TEST(in_child([] {
		through_new_code<4>(agree_in_new_code);
		hold_by_callback();
		const std::string said = in_child([] {
			through_new_code<4>(agree_in_new_code);
			through_new_code<5>(agree_in_new_code);
			const std::string deeper = in_child([] {
				through_new_code<6>(agree_in_new_code);
			}, 10);
			must(deeper.empty(), deeper.c_str());
		}, 20);
		must(said.empty(), said.c_str());
	}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
