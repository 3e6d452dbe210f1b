// Tests stack9_async(3): streams of one process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <poll.h>
#include <stack9_async.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "require.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(asynchronous, *needs("bpf"))

namespace {

struct stream_closer {
	void operator()(stack9_async *s) const { stack9_async_close(s); }
};
using stream = std::unique_ptr<stack9_async, stream_closer>;

stream
open_stream()
{
	stack9_async *s = nullptr;
	const int error = stack9_async_open(&s);
	BOOST_TEST_REQUIRE(error == 0, stack9_reason());
	return stream(s);
}

stack9_id
submit(const stream &s, const stack9_thread &td, std::uint64_t cookie)
{
	stack9_id id = 0;
	const int error = stack9_async_submit(s.get(), &td, STACK9_BOTH,
	    STACK9_ASYNC_WAKE, cookie, &id);
	BOOST_TEST_REQUIRE(error == 0, stack9_reason());
	return id;
}

stack9_ready
next(const stream &s)
{
	stack9_ready r{};
	r.size = sizeof r;
	int fd = -1;
	BOOST_REQUIRE(stack9_async_fd(s.get(), &fd) == 0);
	for (;;) {
		pollfd p{fd, POLLIN, 0};
		BOOST_REQUIRE(poll(&p, 1, -1) == 1);
		const int error = stack9_async_next(s.get(), &r);
		if (error == 0)
			return r;
		BOOST_REQUIRE(error == EAGAIN);
	}
}

struct sleeping {
	sleeping() : c(api::child_waits) { c.wait_for_sleep(); }
	api::child	c;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(own_streams, sleeping, *description(
    "each part of a program gets what it has submitted, and nothing else"))
{
	const stream a = open_stream(), b = open_stream();
	std::vector<stack9_id> of_a, of_b;
	for (std::uint64_t i = 0; i < 4; i++) {
		of_a.push_back(submit(a, c.thread(), 100 + i));
		of_b.push_back(submit(b, c.thread(), 200 + i));
	}
	// The one that is asked first sorts out both.
	for (const stream *s : {&b, &a})
		for (std::uint64_t i = 0; i < 4; i++) {
			const stack9_ready r = next(*s);
			const auto &ids = s == &a ? of_a : of_b;
			BOOST_TEST(std::count(ids.begin(), ids.end(), r.id) ==
			    1);
			BOOST_TEST(r.cookie / 100 == (s == &a ? 1U : 2U));
		}
	stack9_ready r{};
	r.size = sizeof r;
	BOOST_TEST(stack9_async_next(a.get(), &r) == EAGAIN);
	stack9_sample *s = nullptr;
	BOOST_TEST(stack9_async_collect(b.get(), of_a[0], nullptr, &s) ==
	    ENOENT);
	BOOST_TEST(stack9_async_cancel(b.get(), of_a[0]) == ENOENT);
	BOOST_TEST(stack9_async_release(b.get(), of_a[0]) == ENOENT);
	BOOST_TEST(stack9_async_collect(a.get(), of_a[0], nullptr, &s) == 0);
	const api::sample kept(s);
	BOOST_TEST(s->cookie == 100);
	BOOST_TEST(s->thread.tid == c.pid());
	BOOST_TEST(api::has(api::names_of(s->user), "api::child_waits(int)"));
	BOOST_TEST(s->kernel->depth > 0);
	BOOST_TEST(stack9_async_release(a.get(), of_a[0]) == 0);
	BOOST_TEST(stack9_async_release(a.get(), of_a[0]) == ENOENT);
}

BOOST_FIXTURE_TEST_CASE(closed, sleeping, *description(
    "stack9_async_close() releases all of its submissions"))
{
	const stream other = open_stream();
	for (int round = 0; round < 3; round++) {
		const stream s = open_stream();
		for (int i = 0; i < 512; i++)
			submit(s, c.thread(), 0);
	}
	const stack9_id id = submit(other, c.thread(), 7);
	const stack9_ready r = next(other);
	BOOST_TEST(r.id == id);
	BOOST_TEST(r.cookie == 7);
}

BOOST_FIXTURE_TEST_CASE(events, sleeping, *description(
    "a stream gets the threads of its events, by the grammar of watches"))
{
	const stream a = open_stream(), b = open_stream();
	stack9_watch_options o{};
	o.size = sizeof o;
	o.pid = c.pid();
	o.side = STACK9_BOTH;
	o.cookie = 9;
	const int error = stack9_async_watch(a.get(), "t:sched:sched_switch",
	    &o);
	if (error == EOPNOTSUPP) {
		BOOST_TEST_MESSAGE(stack9_reason());
		return;
	}
	BOOST_TEST_REQUIRE(error == 0, stack9_reason());
	// It is submitted where it sleeps, and is ready when it has woken.
	stack9_ready r{};
	r.size = sizeof r;
	int tried = EAGAIN, fd = -1;
	BOOST_REQUIRE(stack9_async_fd(a.get(), &fd) == 0);
	while (tried == EAGAIN) {
		c.send();
		pollfd p{fd, POLLIN, 0};
		poll(&p, 1, 10);
		tried = stack9_async_next(a.get(), &r);
	}
	BOOST_TEST(tried == 0);
	BOOST_TEST(r.cookie == 9);
	stack9_sample *s = nullptr;
	const int got = stack9_async_collect(a.get(), r.id, nullptr, &s);
	BOOST_TEST((got == 0 || got == EAGAIN));
	const api::sample kept(s);
	BOOST_REQUIRE(s != nullptr);
	BOOST_TEST(s->thread.pid == c.pid());
	stack9_ready none{};
	none.size = sizeof none;
	BOOST_TEST(stack9_async_next(b.get(), &none) == EAGAIN);
	o.limit = 1;
	BOOST_TEST(stack9_async_watch(a.get(), "cpu-clock:99", &o) == EINVAL);
	o.limit = 0;
	o.rules = 1 << 20;
	BOOST_TEST(stack9_async_watch(a.get(), "cpu-clock:99", &o) == EINVAL);
	o.rules = 0;
	BOOST_TEST(stack9_async_watch(a.get(), "cpu-clock:99", &o) == 0);
	BOOST_TEST(stack9_async_watch(a.get(), "t:sched:no_such", &o) ==
	    ENOENT);
	BOOST_TEST(stack9_async_watch(a.get(), "t::sched_switch", &o) == 0);
	// Root reads tracefs without its being mounted.
	if (lack_of("root").empty()) {
		BOOST_TEST(stack9_async_watch(a.get(), "t:irq:sched_switch",
		    &o) == ENOENT);
		BOOST_TEST(stack9_reason() == std::string_view("the tracepoint "
		    "of that name is of another category"));
	}
	BOOST_TEST(stack9_async_watch(a.get(), "syscall:read", &o) ==
	    EOPNOTSUPP);
}

[[gnu::noinline]] static int
waits_deep(int fd, int depth)
{
	if (depth == 0)
		api::child_waits(fd);
	else
		waits_deep(fd, depth - 1);
	asm volatile("" : : : "memory");	// no tail call
	return depth;
}

BOOST_AUTO_TEST_CASE(deep, *description(
    "the user side has all frames of the part that was copied"))
{
	const api::child c([](int fd) { waits_deep(fd, 3000); });
	c.wait_for_sleep();
	const stream s = open_stream();
	const stack9_id id = submit(s, c.thread(), 0);
	stack9_sample *got = nullptr;
	int error = EAGAIN;
	while (error == EAGAIN) {
		stack9_sample_close(got);
		next(s);
		error = stack9_async_collect(s.get(), id, nullptr, &got);
	}
	const api::sample kept(got);
	BOOST_TEST_REQUIRE(error == 0, stack9_reason());
	BOOST_TEST(got->user->depth > 3000U);
	BOOST_TEST(got->user->why == STACK9_WHY_NONE);
}

BOOST_AUTO_TEST_CASE(refused, *needs("root") *description(
    "stack9_reason() says why a submission was refused"))
{
	const stream s = open_stream();
	stack9_thread kernel{};
	if (stack9_thread_find(2, &kernel) != 0) {
		BOOST_TEST_MESSAGE("no kernel thread is visible");
		return;
	}
	const stack9_thread none{1 << 22, 1 << 22, 0};
	stack9_id id = 0;
	BOOST_TEST(stack9_async_submit(s.get(), &kernel, STACK9_USER, 0, 0,
	    &id) == EOPNOTSUPP);
	const std::string of_kernel = stack9_reason();
	BOOST_TEST(stack9_async_submit(s.get(), &none, STACK9_USER, 0, 0,
	    &id) == ESRCH);
	BOOST_TEST(of_kernel != stack9_reason());
	BOOST_TEST(of_kernel == stack9_why_text(STACK9_WHY_KTHREAD));
	BOOST_TEST(id == 0U);
}

BOOST_FIXTURE_TEST_CASE(in_a_child, sleeping, *description(
    "a forked child can only close the stream"))
{
	const stream s = open_stream();
	const stack9_id id = submit(s, c.thread(), 0);
	const pid_t pid = fork();
	BOOST_REQUIRE(pid >= 0);
	if (pid == 0) {
		stack9_sample *got = nullptr;
		const bool refused = stack9_async_collect(s.get(), id, nullptr,
		    &got) == EINVAL;
		stack9_async_close(s.get());
		_exit(refused ? 0 : 1);
	}
	int status = -1;
	BOOST_REQUIRE(waitpid(pid, &status, 0) == pid);
	BOOST_TEST(status == 0);
	BOOST_TEST(next(s).id == id);
}

BOOST_AUTO_TEST_CASE(arguments)
{
	const stream s = open_stream();
	stack9_thread td{};
	stack9_thread_self(&td);
	stack9_id id = 0;
	stack9_sample *got = nullptr;
	stack9_ready r{};
	int fd;
	BOOST_TEST(stack9_async_open(nullptr) == EINVAL);
	stack9_async_close(nullptr);
	BOOST_TEST(stack9_async_submit(nullptr, &td, STACK9_BOTH, 0, 0, &id) ==
	    EINVAL);
	BOOST_TEST(stack9_async_submit(s.get(), nullptr, STACK9_BOTH, 0, 0,
	    &id) == EINVAL);
	BOOST_TEST(stack9_async_submit(s.get(), &td, 0, 0, 0, &id) == EINVAL);
	BOOST_TEST(stack9_async_submit(s.get(), &td, STACK9_BOTH, 0x100, 0,
	    &id) == EINVAL);
	BOOST_TEST(stack9_async_collect(s.get(), 0, nullptr, &got) == EINVAL);
	BOOST_TEST(stack9_async_collect(s.get(), 1, nullptr, nullptr) ==
	    EINVAL);
	BOOST_TEST(stack9_async_collect(s.get(), 12345, nullptr, &got) ==
	    ENOENT);
	BOOST_TEST(stack9_async_next(s.get(), &r) == EAGAIN);
	BOOST_TEST(stack9_async_next(s.get(), nullptr) == EINVAL);
	BOOST_TEST(stack9_async_fd(nullptr, &fd) == EINVAL);
	BOOST_TEST(stack9_async_fd(s.get(), nullptr) == EINVAL);
	BOOST_TEST(stack9_async_watch(s.get(), nullptr, nullptr) == EINVAL);
	BOOST_TEST(stack9_async_limit(0, 0) == EINVAL);
}

BOOST_AUTO_TEST_SUITE_END()
