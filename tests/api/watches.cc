// Tests stack9_watch(3): watches that are woken, and that end.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <dlfcn.h>
#include <poll.h>
#include <stack9_watch.h>
#include <unistd.h>

#include "child.h"
#include "require.h"
#include "watching.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(watches, *needs("bpf"))

namespace {

using namespace api;

// Waits for a byte in each of two plugins that lie at the same address, one
// after the other.
void
waits_in_two(int fd)
{
	char byte;
	if (read(fd, &byte, 1) != 1)
		return;
	for (const char *name : {"alpha", "bravo"}) {
		void *const plugin = dlopen((std::string(PLUGINS) + "api_" +
		    name + ".so").c_str(), RTLD_NOW);
		if (plugin == nullptr)
			_exit(2);
		reinterpret_cast<int (*)(int)>(dlsym(plugin,
		    (std::string(name) + "_waits").c_str()))(fd);
		dlclose(plugin);
	}
	read(fd, &byte, 1);
}

// The number of events of the watch that have each of the names.
struct named {
	const char	*names[2];
	std::uint64_t	 events[2];
};

int
count_named(void *arg, const stack9_sample *s)
{
	named &to = *static_cast<named *>(arg);
	const std::vector<std::string> names = api::names_of(s->user);
	for (int i = 0; i < 2; i++)
		if (api::has(names, to.names[i]))
			to.events[i] += s->events;
	return 0;
}

// Reads until the watch says otherwise.
int
read_all(stack9_watch *w, int timeout_ms, seen &to)
{
	to.of = w;
	int error;
	while ((error = stack9_watch_read(w, timeout_ms, keep, &to)) == 0 ||
	    error == EAGAIN)
		;
	return error;
}

} // namespace

BOOST_AUTO_TEST_CASE(ends, *description(
    "ESRCH: the process or thread of the options has ended, and all of its "
    "events have been read"))
{
	api::child c(asks);
	c.wait_for_sleep();
	stack9_watch_options o = options(STACK9_WATCH_STREAM, c.pid());
	o.cookie = 42;
	const watch w = open_watch(o);
	for (int i = 0; i < 3; i++)
		c.send();
	seen all;
	all.of = w.get();
	while (all.calls < 3)
		BOOST_REQUIRE(stack9_watch_read(w.get(), -1, keep, &all) == 0);
	c.end();
	BOOST_TEST(read_all(w.get(), -1, all) == ESRCH);
	BOOST_TEST(all.calls == 3);
	BOOST_TEST(all.cookie == 42);
	BOOST_TEST(all.inner == EBUSY);
	BOOST_TEST(api::has(all.names, "getppid"));
}

// Both functions are at the same address.
BOOST_AUTO_TEST_CASE(replaced, *description(
    "An address is named by what the process had mapped there when the event "
    "happened"))
{
	for (const int mode : {STACK9_WATCH_STREAM, STACK9_WATCH_COUNT}) {
		const api::child c(waits_in_two);
		c.wait_for_sleep();
		const watch w = open_watch(options(mode, c.pid()),
		    "syscall:read");
		named seen{{"alpha_waits", "bravo_waits"}, {}};
		for (const int step : {0, 1}) {
			c.send();
			while (seen.events[step] == 0) {
				if (mode == STACK9_WATCH_COUNT)
					seen.events[0] = seen.events[1] = 0;
				stack9_watch_read(w.get(), 1, mode ==
				    STACK9_WATCH_STREAM ? count_named : nullptr,
				    &seen);
				if (mode == STACK9_WATCH_COUNT)
					BOOST_TEST_REQUIRE(stack9_watch_each(
					    w.get(), count_named, &seen) == 0);
				BOOST_TEST_REQUIRE(seen.events[0] <= 1U);
			}
		}
		BOOST_TEST(seen.events[0] == 1U);
		BOOST_TEST(seen.events[1] == 1U);
	}
}

BOOST_AUTO_TEST_CASE(woken, *description(
    "stack9_watch_wake() ends a read that waits in another thread with EINTR"))
{
	const api::child c(asks);
	const watch w = open_watch(options(STACK9_WATCH_STREAM, c.pid()));
	seen none;
	std::thread other([&] {
		BOOST_TEST(stack9_watch_wake(w.get()) == 0);
	});
	BOOST_TEST(read_all(w.get(), -1, none) == EINTR);
	other.join();
	BOOST_TEST(stack9_watch_read(w.get(), 0, keep, &none) == EAGAIN);
	BOOST_TEST(stack9_watch_wake(w.get()) == 0);
	BOOST_TEST(stack9_watch_wake(w.get()) == 0);
	int fd = -1;
	BOOST_TEST(stack9_watch_fd(w.get(), &fd) == 0);
	pollfd p{fd, POLLIN, 0};
	BOOST_TEST(poll(&p, 1, -1) == 1);
	BOOST_TEST(stack9_watch_read(w.get(), -1, keep, &none) == EINTR);
	BOOST_TEST(stack9_watch_read(w.get(), 0, keep, &none) == EAGAIN);
	BOOST_TEST(poll(&p, 1, 0) == 0);
}

BOOST_AUTO_TEST_CASE(descriptor, *description(
    "a descriptor that can be read once an event has arrived"))
{
	const api::child c(asks);
	c.wait_for_sleep();
	const watch w = open_watch(options(STACK9_WATCH_STREAM, c.pid()));
	seen all;
	all.of = w.get();
	BOOST_TEST(stack9_watch_read(w.get(), 0, keep, &all) == EAGAIN);
	int fd = -1;
	BOOST_TEST(stack9_watch_fd(w.get(), &fd) == 0);
	c.send();
	pollfd p{fd, POLLIN, 0};
	BOOST_TEST(poll(&p, 1, -1) == 1);
	while (all.calls == 0)
		stack9_watch_read(w.get(), 0, keep, &all);
	BOOST_TEST(all.events == 1);
}

BOOST_AUTO_TEST_SUITE_END()
