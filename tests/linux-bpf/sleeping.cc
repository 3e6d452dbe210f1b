// Tests sleeping threads, by every route there is.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <csignal>
#include <unistd.h>

#include "core/seam/record.h"
#include "require.h"
#include "kernel_capture.h"

BOOST_AUTO_TEST_SUITE(sleeping)

namespace {

const std::string job = "kernel stack";

// The routes that give addresses.
std::vector<std::string>
routes()
{
	std::vector<std::string> all = routes_of(job);
	std::erase(all, "procfs");
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(its_kernel_stack_is_that_of_proc, *needs("bpf")
    * boost::unit_test::description(
    "STACK9_KERNEL: The kernel stack of a thread of any process, whether the "
    "thread sleeps or runs."))
{
	BOOST_REQUIRE(!routes().empty());
	const victim v({std::begin(all_sleepers), std::end(all_sleepers)});
	for (const std::string &r : routes()) {
		const forced only(r);
		for (const pid_t tid : v.tids()) {
			capture c;
			BOOST_REQUIRE_EQUAL(c.save(thread_of(tid)), 0);
			BOOST_TEST(c.rec.route == r);
			BOOST_TEST(c.rec.why == STACK9_WHY_NONE);
			BOOST_TEST(named(c.rec) == proc_stack(tid),
			    boost::test_tools::per_element());
		}
	}
}

BOOST_AUTO_TEST_CASE(names_only_where_bpf_is_refused, *needs("root")
    * boost::unit_test::description(
    "text: buffer for a route that has names and no addresses"))
{
	const victim v({doing::read});
	const forced only("procfs");
	capture bare;
	BOOST_TEST(bare.save(v.pid()) == EOPNOTSUPP);
	BOOST_TEST(bare.rec.depth == 0u);
	char text[4096];
	capture c;
	c.rec.text = text;
	c.rec.text_size = sizeof text;
	std::fill(std::begin(c.pcs), std::end(c.pcs), 1);
	BOOST_REQUIRE_EQUAL(c.save(thread_of(v.pid())), 0);
	BOOST_TEST((c.rec.flags & stack9::record_has_text) != 0u);
	std::string expected;
	for (const std::string &line : proc_stack(v.pid()))
		expected += line + "\n";
	BOOST_TEST(std::string(text) == expected);
	// "text has names; pcs are all 0"
	BOOST_TEST(std::count(std::begin(c.pcs), std::end(c.pcs), 0u) == 512);
	const victim runs({doing::spin_user});
	BOOST_TEST(c.save(runs.pid()) == EAGAIN);
	BOOST_TEST(c.rec.why == STACK9_WHY_ON_CPU);
}

BOOST_AUTO_TEST_SUITE_END()
