// Tests captures of those threads that are in a state, and for how long.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <chrono>
#include <map>

#include <boost/test/unit_test.hpp>
#include <sched.h>
#include <stack9.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/process.h"
#include "lib/queued.h"
#include "child.h"
#include "require.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(states)

namespace {

// A parent of vfork(2) is in state D until its child ends or executes.
void
waits_for_its_child(int fd)
{
	if (vfork() == 0)
		for (char byte; read(fd, &byte, 1) < 0;)
			;
	_exit(0);
}

struct seen {
	int		state, calls;
	std::uint64_t	since_ns, kernel_depth;
};
using all_seen = std::map<pid_t, seen>;
using lib::boot_ns;

int
add(void *arg, const stack9_sample *s)
{
	(*static_cast<all_seen *>(arg))[s->thread.tid] = {s->state,
	    (*static_cast<all_seen *>(arg))[s->thread.tid].calls + 1,
	    s->since_ns, s->kernel == nullptr ? 0 : s->kernel->depth};
	return 0;
}

all_seen
pass_of(const stack9_thread &td, int side, const stack9_save_options &o)
{
	all_seen all;
	BOOST_TEST_REQUIRE(stack9_each(&td, side, &o, add, &all) == 0,
	    stack9_reason());
	return all;
}

stack9_save_options
options(const char *states, std::uint64_t since_ns = 0, unsigned int flags = 0)
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = flags;
	o.states = states;
	o.since_ns = since_ns;
	return o;
}

char
state_in_proc(pid_t tid)
{
	std::ifstream in("/proc/" + std::to_string(tid) + "/stat");
	std::string text;
	std::getline(in, text);
	return text.empty() ? '?' : text[text.rfind(')') + 2];
}

} // namespace

BOOST_AUTO_TEST_CASE(one_state, *needs("bpf") * description(
    "states: stack9_each() gives only threads in these states"))
{
	const api::child c(waits_for_its_child);
	while (state_in_proc(c.pid()) != 'D' || is_queued(c.pid()))
		sched_yield();
	for (const int side : {STACK9_KERNEL, STACK9_USER, STACK9_BOTH}) {
		const stack9_thread td = c.thread();
		const all_seen d = pass_of(td, side, options("D"));
		BOOST_TEST(d.size() == 1u);
		BOOST_TEST(d.at(c.pid()).state == 'D');
		BOOST_TEST(d.at(c.pid()).calls == 1);
		BOOST_TEST(pass_of(td, side, options("SR")).empty());
		BOOST_TEST(pass_of(td, side, options("SD")).size() == 1u);
		BOOST_TEST(pass_of(td, side, options("")).empty());
	}
	c.send();
}

BOOST_AUTO_TEST_CASE(how_long, *needs("bpf") * description(
    "since_ns: so long the thread has been in its state, at least"))
{
	const std::uint64_t before = boot_ns();
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const std::uint64_t asleep = boot_ns();
	const stack9_thread td = c.thread();
	const stack9_save_options o = options(nullptr, 0, STACK9_SAVE_SINCE);
	api::sample s;
	do
		s = api::save(td, STACK9_BOTH, &o);
	while (s->since_ns == 0);	// the time is known to a tick
	BOOST_TEST(s->since_ns <= boot_ns() - before);
	std::uint64_t slept;
	do {	// until all that is known for certain is said
		s = api::save(td, STACK9_BOTH, &o);
		slept = s->when_ns - asleep;
	} while (s->since_ns < slept / 2);
	BOOST_TEST(s->since_ns <= s->when_ns - before);
	const all_seen all = pass_of(td, STACK9_BOTH, o);
	BOOST_TEST(all.at(c.pid()).since_ns >= s->since_ns);
	BOOST_TEST(pass_of(td, STACK9_BOTH,
	    options(nullptr, s->since_ns)).size() == 1u);
	BOOST_TEST(pass_of(td, STACK9_BOTH,
	    options(nullptr, 3'600'000'000'000)).empty());
	const stack9_save_options none = options(nullptr);
	BOOST_TEST(api::save(td, STACK9_BOTH, &none)->since_ns == 0u);
}

BOOST_AUTO_TEST_CASE(one_thread, *description(
    "EINVAL: states and since_ns are for stack9_each() only"))
{
	const stack9_thread td{getpid(), getpid(), 0};
	stack9_sample *s;
	stack9_save_options o = options("D");
	BOOST_TEST(stack9_save(&td, STACK9_USER, &o, &s) == EINVAL);
	o = options(nullptr, 1);
	BOOST_TEST(stack9_save(&td, STACK9_USER, &o, &s) == EINVAL);
}

BOOST_AUTO_TEST_SUITE_END()
