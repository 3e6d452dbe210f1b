// Tests stack9_watch(3): watches that count, and that refuse.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>
#include <string>

#include <boost/test/unit_test.hpp>
#include <stack9_watch.h>
#include <unistd.h>

#include "child.h"
#include "require.h"
#include "watching.h"

using boost::unit_test::description;

using namespace api;

BOOST_AUTO_TEST_SUITE(watches, *needs("bpf"))

BOOST_AUTO_TEST_CASE(counted, *description(
    "those that are to be counted have been counted when the call returns"))
{
	const api::child c(asks);
	c.wait_for_sleep();
	const watch w = open_watch(options(STACK9_WATCH_COUNT, c.pid()));
	seen all;
	all.of = w.get();
	for (int i = 0; i < 5; i++)
		c.send();
	while (all.events < 5) {
		all.events = 0;
		stack9_watch_read(w.get(), 1, nullptr, nullptr);
		BOOST_TEST(stack9_watch_each(w.get(), keep, &all) == 0);
	}
	BOOST_TEST(stack9_watch_stop(w.get()) == 0);
	BOOST_TEST(stack9_watch_stop(w.get()) == 0);
	stack9_tally t{};
	BOOST_TEST(stack9_watch_tally(w.get(), &t) == EINVAL);
	t.size = sizeof t;
	BOOST_TEST(stack9_watch_tally(w.get(), &t) == 0);
	BOOST_TEST(t.events == 5);
	BOOST_TEST(t.kept == 5);
	BOOST_TEST(t.probes == 1);
	BOOST_TEST(stack9_watch_each(w.get(),
	    [](void *, const stack9_sample *) { return 1; }, nullptr) ==
	    ECANCELED);
	std::string name;
	BOOST_TEST(stack9_watch_events(w.get(),
	    [](void *to, const char *each) {
		    *static_cast<std::string *>(to) = each;
		    return 0;
	    }, &name) == 0);
	BOOST_TEST(name.find("getppid") != name.npos, name);
}

BOOST_AUTO_TEST_CASE(refused, *description(
    "options that cannot be meant are refused, not ignored"))
{
	const pid_t self = getpid();
	BOOST_TEST(refuses(options(STACK9_WATCH_COUNT, 1 << 22)) == ESRCH);
	BOOST_TEST(std::strstr(stack9_reason(), "exist") != nullptr);
	stack9_watch_options o = options(STACK9_WATCH_COUNT, self);
	o.cpu = 1;
	BOOST_TEST(refuses(o) == EINVAL);
	o = options(7, self);
	BOOST_TEST(refuses(o) == EINVAL);
	o = options(STACK9_WATCH_COUNT, self);
	o.flags = 0x40000000;
	BOOST_TEST(refuses(o) == EINVAL);
	o.flags = 0;
	o.size = 8;
	BOOST_TEST(refuses(o) == EINVAL);
	o.size = sizeof o;
	BOOST_TEST(refuses(o, nullptr) == EINVAL);
	BOOST_TEST(refuses(o, "t:sched:no_such_event") == ENOENT);
	BOOST_TEST(std::strlen(stack9_reason()) > 10);
	o.tid = 1 << 22;
	o.pid = 0;
	BOOST_TEST(refuses(o) == ESRCH);
}

BOOST_AUTO_TEST_CASE(arguments, *description(
    "NULL is EINVAL in every call"))
{
	int fd = 0;
	stack9_tally t{};
	t.size = sizeof t;
	seen none;
	BOOST_TEST(stack9_watch_fd(nullptr, &fd) == EINVAL);
	BOOST_TEST(stack9_watch_read(nullptr, 0, keep, &none) == EINVAL);
	BOOST_TEST(stack9_watch_each(nullptr, keep, &none) == EINVAL);
	BOOST_TEST(stack9_watch_wake(nullptr) == EINVAL);
	BOOST_TEST(stack9_watch_stop(nullptr) == EINVAL);
	BOOST_TEST(stack9_watch_tally(nullptr, &t) == EINVAL);
	BOOST_TEST(stack9_watch_events(nullptr, nullptr, nullptr) == EINVAL);
	BOOST_TEST(stack9_watch_open(event, nullptr, nullptr) == EINVAL);
	stack9_watch_close(nullptr);
	const watch w = open_watch(options(STACK9_WATCH_STREAM, getpid()));
	BOOST_TEST(stack9_watch_fd(w.get(), nullptr) == EINVAL);
	BOOST_TEST(stack9_watch_read(w.get(), -2, keep, &none) == EINVAL);
	BOOST_TEST(stack9_watch_read(w.get(), 0, nullptr, nullptr) == EINVAL);
	BOOST_TEST(stack9_watch_each(w.get(), keep, &none) == EINVAL);
}

BOOST_AUTO_TEST_SUITE_END()
