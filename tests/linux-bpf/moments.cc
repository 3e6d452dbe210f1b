// Tests which threads are of one moment: memory is read once for all of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "core/pass_moments.h"
#include "core/states.h"
#include "require.h"
#include "victim.h"

BOOST_AUTO_TEST_SUITE(moments_of_a_pass)

namespace {

using boost::unit_test::description;

constexpr std::size_t many = 128;

struct seen {
	stack9_thread	thread;
	std::uint64_t	switches;
};

// A thread of those that do this.
seen
one_that(pid_t pid, doing what)
{
	struct {
		std::string	name;
		seen		found{};
	} wanted{"v" + std::to_string(static_cast<int>(what)) + "-"};
	BOOST_REQUIRE(stack9::report_states(pid, [](void *arg,
	    const stack9_state *s) {
		auto &w = *static_cast<decltype(wanted) *>(arg);
		if (std::string(s->comm).starts_with(w.name))
			w.found = {s->thread, s->switches};
		return 0;
	}, &wanted) == 0);
	BOOST_REQUIRE(wanted.found.thread.tid != 0);
	return wanted.found;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_moment_has_those_that_slept, *needs("bpf") *
    description("threads that sleep, and have as many switches as they were "
    "captured with, are of one moment"))
{
	std::vector<doing> threads(many, doing::futex);
	threads.push_back(doing::flip);
	const victim of(threads);
	const seen sleeps = one_that(of.pid(), doing::futex),
	    runs = one_that(of.pid(), doing::flip);
	while (one_that(of.pid(), doing::flip).switches == runs.switches)
		sched_yield();

	stack9::pass_moments m;
	unsigned int without = 0;
	std::uint64_t moment;
	while ((moment = m.since(sleeps.thread, sleeps.switches)) == 0)
		BOOST_REQUIRE(++without < many);
	BOOST_TEST(without > 0u);	// a moment costs more than it saves
	BOOST_TEST(m.since(runs.thread, runs.switches) == 0u);
	BOOST_TEST(m.since(sleeps.thread, sleeps.switches + 1) == 0u);
	stack9_thread reused = sleeps.thread;
	reused.start++;
	BOOST_TEST(m.since(reused, sleeps.switches) == 0u);

	// It gets old, and the next one has another number.
	std::uint64_t next;
	while ((next = m.since(sleeps.thread, sleeps.switches)) == moment)
		sched_yield();
	BOOST_TEST(next > moment);
}

BOOST_AUTO_TEST_SUITE_END()
