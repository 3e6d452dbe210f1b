// Takes stacks that lead to events on the kernel that runs, and says by which
// route that was done.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>
#include <string>

#include <boost/test/unit_test.hpp>
#include <stack9.h>
#include <stack9_watch.h>

#include "outcomes.h"
#include "targets.h"

using boost::unit_test::description;

namespace {

constexpr const char *events = "stacks that lead to events";

struct counted {
	std::uint64_t	all = 0, kernel = 0, user = 0;
	std::string	words;
};

void
count_stack(const stack9_stack *s, std::uint64_t n, std::uint64_t &whole,
    std::string &words)
{
	if (s == nullptr)
		return;
	if (s->error == 0 && s->depth > 0)
		whole += n;
	else if (s->why != STACK9_WHY_USER_MODE)
		words = s->reason;
}

// The stacks of an event of this process: at least three.
std::string
watch_sides(const std::string &event, pid_t pid, int side)
{
	stack9_watch_options options{};
	options.size = sizeof options;
	options.pid = pid;
	options.side = side;
	stack9_watch *watch = nullptr;
	if (stack9_watch_open(event.c_str(), &options, &watch) != 0)
		return std::string("refused: ") + stack9_reason();
	counted got;
	for (int i = 0; i < 100 && got.all < 3; i++) {
		stack9_watch_read(watch, 100, nullptr, nullptr);
		got = {};
		stack9_watch_each(watch, [](void *to, const stack9_sample *s) {
			auto &n = *static_cast<counted *>(to);
			n.all += s->events;
			count_stack(s->kernel, s->events, n.kernel, n.words);
			count_stack(s->user, s->events, n.user, n.words);
			return 0;
		}, &got);
	}
	stack9_watch_close(watch);
	BOOST_TEST(got.all >= 3u, event);
	BOOST_TEST(got.kernel + got.user > 0u, event << ": " << got.words);
	// A timer meets a thread in user mode, too.
	return got.user > 0 || side == STACK9_KERNEL ? first_that_can(events) :
	    first_that_can(events) + ", without user stacks: " + got.words;
}

std::string
watch(const std::string &event, pid_t pid)
{
	const std::string both = watch_sides(event, pid, STACK9_BOTH);
	if (!both.starts_with("refused: "))
		return both;
	const std::string kernel = watch_sides(event, pid, STACK9_KERNEL);
	return kernel.starts_with("refused: ") ? both : kernel +
	    ", without user stacks: " + both.substr(9);
}

// Counts until the kernel has walked user stacks by rules that copies needed.
std::string
walk(const std::string &event, pid_t pid)
{
	stack9_watch_options options{};
	options.size = sizeof options;
	options.pid = pid;
	options.side = STACK9_USER;
	stack9_watch *watch = nullptr;
	if (stack9_watch_open(event.c_str(), &options, &watch) != 0)
		return std::string("refused: ") + stack9_reason();
	stack9_tally tally{};
	tally.size = sizeof tally;
	for (int i = 0; i < 100 && tally.walked < 3 &&
	    (tally.flags & STACK9_TALLY_NO_WALK) == 0; i++) {
		stack9_watch_read(watch, 100, nullptr, nullptr);
		stack9_watch_tally(watch, &tally);
	}
	stack9_watch_close(watch);
	const bool can = (tally.flags & STACK9_TALLY_NO_WALK) == 0;
	BOOST_TEST((tally.walked > 0) == can);
	BOOST_TEST(tally.copied > 0u);
#ifndef __x86_64__
	if (tally.walked == 0 && tally.copied > 0)
		return "by copies of each: rules are learned on x86-64 only";
#endif
	return tally.walked > 0 ? "native" : !can ?
	    "by copies of each: this kernel does not stamp the mappings" :
	    "refused";
}

} // namespace

BOOST_AUTO_TEST_CASE(events_of_each_kind, *description(
    "stacks that lead to a tracepoint, a timer, a function, and off the CPU"))
{
	const target spins(target::kind::spins), naps(target::kind::naps);
	tell("tracepoint", watch("t:sched:sched_switch", naps.pid()));
	tell("system call", watch("syscall:getppid", spins.pid()));
	tell("timer", watch("cpu-clock:99", spins.pid()));
	tell("off-CPU", watch("offcpu", naps.pid()));
	tell("kernel function", watch("k:hrtimer_nanosleep", naps.pid()));
	tell("user stacks by learned rules", walk("syscall:getppid",
	    spins.pid()));
}
