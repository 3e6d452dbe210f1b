// Tests siblings that hold the loader's lock, or that are in libraries which it
// is about to take away.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include "harness.h"

namespace bdata = boost::unit_test::data;

namespace {

int
obey_within(dl_phdr_info *, std::size_t, void *arg)
{
	lean::obey(*static_cast<orders *>(arg));
	return 1;
}

void
hold_lock(orders &o)
{
	dl_iterate_phdr(obey_within, &o);
	asm volatile("" ::: "memory");
}

const struct {
	const char	*route;
	deed		 what;
} held_ways[] = {{"registers", deed::read}, {"signal", deed::spin}};

using plugin_function = int (*)(int fd, std::uintptr_t *returns);

// A thread that loads, calls and unloads the plugin, round after round.
class guest {
public:
	guest() : visitor_([this](orders &o) {
		    while (!end_)
			    visit(o);
	    }),
	    feeder_([this] {
		    for (std::uint64_t n = 1; !end_ && feed(); n++)
			    while (rounds() < n && !end_)
				    std::this_thread::yield();
	    })
	{
		while (rounds() < 2)
			std::this_thread::yield();
	}
	~guest()
	{
		end_ = true;
		feeder_.join();
	}

	stack9_thread thread() const { return visitor_.thread(); }
	std::uint64_t rounds() const { return visitor_.order.rounds; }

	std::vector<std::uintptr_t>	truth;		// beyond visit()
	std::atomic<std::uintptr_t>	inside{0};	// in visit()

private:
	[[gnu::noinline]] void visit(orders &);
	bool feed() { return write(visitor_.order.fds[1], "x", 1) == 1; }

	std::atomic<bool>		end_{false};
	victim				visitor_;
	std::thread			feeder_;
};

void
guest::visit(orders &o)
{
	void *const plugin = dlopen(PLUGIN, RTLD_NOW);
	const auto stay = reinterpret_cast<plugin_function>(
	    dlsym(plugin, "plugin_read"));
	std::uintptr_t returns = 0;
	if (truth.empty())
		note_truth(truth, RETURN_ADDRESS());
	o.ready = true;
	if (stay(o.fds[0], &returns) < 0)
		return;
	inside = returns;
	dlclose(plugin);
	o.rounds++;
}

} // namespace

BOOST_DATA_TEST_CASE(a_sibling_that_holds_the_loaders_lock_is_captured_whole,
    bdata::make({0, 1}), which)
{
	if (which == 1 && !signals_arrive)
		return;
	const victim v(hold_lock, held_ways[which].what);
	if (which == 0)
		v.await_sleep();
	capture c;
	int error;
	do
		error = c.save(route_named(held_ways[which].route), v.thread());
	while (error == EAGAIN);
	BOOST_TEST(error == 0);
	BOOST_TEST(c.rec.why == STACK9_WHY_NONE);
	BOOST_TEST_INFO(hex(c.frames()));
	BOOST_TEST(behind(c.frames(), v.order.truth.at(0)) == v.order.truth,
	    boost::test_tools::per_element());
}

// Its rules must not outlive it, and reading them must not crash: it leaves
// and unloads while its stack is still being walked.
BOOST_DATA_TEST_CASE(a_library_may_go_away_under_the_capture,
    bdata::make({0, 1}), which)
{
	if (which == 1 && !signals_arrive)
		return;
	guest who;
	long whole = 0;
	// And on, until it was met there: on a busy machine that may take more.
	for (int i = 0; i < 5000 || whole == 0; i++) {
		capture c;
		const int error = c.save(route_named(held_ways[which].route),
		    who.thread());
		const auto tail = behind(c.frames(), who.inside);
		if (error != 0 || tail.empty())
			continue;
		whole++;
		// Not hex(): a name goes with its library.
		BOOST_REQUIRE(c.rec.why == STACK9_WHY_NONE);
		BOOST_TEST_REQUIRE(std::vector(tail.begin() + 1, tail.end()) ==
		    who.truth, boost::test_tools::per_element());
	}
	BOOST_TEST(whole > 0);
	BOOST_TEST_MESSAGE(whole << " within the library, " << who.rounds() <<
	    " times loaded");
}
