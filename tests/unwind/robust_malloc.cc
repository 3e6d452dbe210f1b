// Tests captures inside malloc(), wherever it is called from: also the loader
// with its locks held and its lists half changed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

#include "malloc_count.h"
#include "robust_child.h"
#include "robust_plugins.h"
#include "robust_truth.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(inside_malloc)

namespace {

thread_local bool capturing;	// by malloc() itself: not again
std::atomic<long> captured{0};

void
capture_inside()
{
	if (capturing)
		return;
	capturing = true;
	must_agree("inside malloc()");
	captured++;
	capturing = false;
}

void
throw_and_catch()
{
	try {
		throw std::runtime_error(std::string(100, 'x'));
	} catch (const std::exception &) {
	}
}

void
allocate_everywhere()
{
	on_malloc = capture_inside;
	for (int i = 0; i < 20; i++) {
		std::map<std::string, int> m;
		for (int k = 0; k < 20; k++)
			m[std::string(static_cast<std::size_t>(k) + 30, 'k')]++;
		throw_and_catch();
		std::thread(throw_and_catch).join();
		const plugin loaded(i % 2 == 0 ? plugin::small : plugin::large);
	}
	on_malloc = nullptr;
	tell("%ld captures inside malloc()", captured.load());
	must(captured > 1000, "malloc() was called often");
}

} // namespace

BOOST_AUTO_TEST_CASE(every_call_of_malloc_can_be_captured, *description(
    "stack9_save_self() takes no lock and nothing from the heap"))
{
	BOOST_TEST(in_child(allocate_everywhere) == "");
}

BOOST_AUTO_TEST_SUITE_END()
