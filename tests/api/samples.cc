// Tests stack9(3): one thread, one sample.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "require.h"

using boost::unit_test::description;

namespace {

std::uint64_t
now_ms()
{
	timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return static_cast<std::uint64_t>(t.tv_sec) * 1000 +
	    static_cast<std::uint64_t>(t.tv_nsec) / 1000000;
}

struct sleeping {
	sleeping() : c(api::child_waits) { c.wait_for_sleep(); }
	api::child	c;
};

} // namespace

BOOST_AUTO_TEST_SUITE(samples, *needs("bpf"))

BOOST_FIXTURE_TEST_CASE(both_sides, sleeping, *description(
    "a sample has both sides, the thread's name and its state"))
{
	const api::sample s = api::save(c.thread(), STACK9_BOTH);
	BOOST_TEST(s->thread.tid == c.pid());
	BOOST_TEST(s->state == 'S');
	BOOST_TEST(std::strlen(s->comm) > 0);
	BOOST_REQUIRE(s->kernel != nullptr && s->user != nullptr);
	BOOST_TEST(s->kernel->depth > 0);
	BOOST_TEST(s->user->why == STACK9_WHY_NONE);
	BOOST_TEST(s->user->space != nullptr);
	BOOST_TEST(api::has(api::names_of(s->user), "api::child_waits(int)"));
	BOOST_TEST(api::has(api::names_of(s->user, STACK9_FRAMES_LINKAGE),
	    "_ZN3api11child_waitsEi"));
}

BOOST_AUTO_TEST_CASE(of_a_caller_that_nobody_reported_of, *description(
    "EAGAIN is returned for the kernel stack of the calling thread"))
{
	// A bare clone(2) calls no handler of pthread_atfork(3), so the library
	// does not know that the thread is another one.
	const auto own = [] {
		const stack9_thread td{static_cast<pid_t>(syscall(SYS_gettid)),
		    static_cast<pid_t>(syscall(SYS_getpid)), 0};
		stack9_sample *s = nullptr;
		const int error = stack9_save(&td, STACK9_KERNEL, nullptr, &s);
		stack9_sample_close(s);
		return error;
	};
	BOOST_TEST(own() == EAGAIN);
	const long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	BOOST_REQUIRE(pid >= 0);
	if (pid == 0)
		_exit(own());
	int status = 0;
	BOOST_REQUIRE(waitpid(static_cast<pid_t>(pid), &status, 0) == pid);
	BOOST_TEST(WIFEXITED(status));
	BOOST_TEST(WEXITSTATUS(status) == EAGAIN);
}

BOOST_FIXTURE_TEST_CASE(one_side, sleeping, *description(
    "a side that was not asked for is NULL"))
{
	BOOST_TEST(api::save(c.thread(), STACK9_KERNEL)->user == nullptr);
	BOOST_TEST(api::save(c.thread(), STACK9_USER)->kernel == nullptr);
}

BOOST_FIXTURE_TEST_CASE(outlives, sleeping, *description(
    "a sample names its addresses when the process has ended"))
{
	const api::sample s = api::save(c.thread(), STACK9_USER);
	c.end();
	BOOST_TEST(api::has(api::names_of(s->user), "api::child_waits(int)"));
}

BOOST_FIXTURE_TEST_CASE(compared, sleeping, *description(
    "two samples of a thread that has slept are the same, and have one space"))
{
	const api::sample a = api::save(c.thread(), STACK9_BOTH);
	const api::sample b = api::save(c.thread(), STACK9_BOTH);
	BOOST_TEST(a->user->space == b->user->space);
	BOOST_TEST(stack9_sample_same(a.get(), b.get()) == 1);
	BOOST_TEST(a->user->hash == b->user->hash);
	const sleeping other;
	const api::sample o = api::save(other.c.thread(), STACK9_BOTH);
	BOOST_TEST(stack9_sample_same(a.get(), o.get()) == 0);
	BOOST_TEST(stack9_stack_same(a->kernel, a->user) == 0);
	BOOST_TEST(stack9_stack_same(nullptr, nullptr) == 1);
	BOOST_TEST(stack9_stack_same(a->kernel, nullptr) == 0);
}

BOOST_FIXTURE_TEST_CASE(counted, sleeping, *description(
    "a sample that the caller has is counted when it is held"))
{
	api::sample a = api::save(c.thread(), STACK9_USER);
	stack9_sample *const again = stack9_sample_hold(a.get());
	BOOST_TEST(again == a.get());
	a.reset();
	BOOST_TEST(again->user->depth > 0);
	stack9_sample_close(again);
	stack9_sample_close(nullptr);
	BOOST_TEST(stack9_sample_hold(nullptr) == nullptr);
}

BOOST_FIXTURE_TEST_CASE(cut, sleeping, *description(
    "frames limits each side, and dropped says what is missing"))
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.frames = 1;
	const api::sample s = api::save(c.thread(), STACK9_BOTH, &o);
	for (const stack9_stack *side : {s->kernel, s->user}) {
		BOOST_TEST(side->depth == 1);
		BOOST_TEST(side->why == STACK9_WHY_TRUNCATED);
	}
	BOOST_TEST(s->user->dropped > 0);
	o.frames = 4096;
	BOOST_TEST(api::save(c.thread(), STACK9_USER, &o)->user->depth > 3);
}

BOOST_AUTO_TEST_CASE(gone, *description(
    "a thread that is gone has its error in the sample"))
{
	stack9_thread td{1 << 22, 1 << 22, 1};
	stack9_sample *s = nullptr;
	BOOST_TEST(stack9_save(&td, STACK9_BOTH, nullptr, &s) == ESRCH);
	const api::sample kept(s);
	BOOST_REQUIRE(s != nullptr);
	BOOST_TEST(s->kernel->error == ESRCH);
	BOOST_TEST(s->user->error == ESRCH);
	BOOST_TEST(s->user->why == STACK9_WHY_GONE);
	BOOST_TEST(std::strlen(stack9_reason()) > 0);
	BOOST_TEST(s->user->pcs == nullptr);
}

BOOST_AUTO_TEST_CASE(arguments, *description(
    "EINVAL: a pointer is NULL, tid < 1, unknown side or flags"))
{
	stack9_thread td{};
	stack9_thread_self(&td);
	stack9_sample *s = nullptr;
	BOOST_TEST(stack9_save(nullptr, STACK9_USER, nullptr, &s) == EINVAL);
	BOOST_TEST(stack9_save(&td, STACK9_USER, nullptr, nullptr) == EINVAL);
	BOOST_TEST(stack9_save(&td, 0, nullptr, &s) == EINVAL);
	BOOST_TEST(stack9_save(&td, 4, nullptr, &s) == EINVAL);
	stack9_save_options o{};
	BOOST_TEST(stack9_save(&td, STACK9_USER, &o, &s) == EINVAL);
	o.size = sizeof o;
	o.flags = 0x80000000;
	BOOST_TEST(stack9_save(&td, STACK9_USER, &o, &s) == EINVAL);
	td.tid = 0;
	BOOST_TEST(stack9_save(&td, STACK9_USER, nullptr, &s) == EINVAL);
	BOOST_TEST(s == nullptr);
}

BOOST_AUTO_TEST_CASE(newer_caller, *description(
    "members that the library does not know have to be 0"))
{
	struct newer {
		stack9_save_options	known;
		std::uint64_t		between[8];
		std::uint64_t		unknown;
	} o{};
	o.known.size = sizeof o;
	stack9_thread td{};
	stack9_thread_self(&td);
	stack9_sample *s = nullptr;
	BOOST_TEST(stack9_save(&td, STACK9_USER, &o.known, &s) == 0);
	stack9_sample_close(s);
	o.unknown = 1;
	BOOST_TEST(stack9_save(&td, STACK9_USER, &o.known, &s) == EINVAL);
}

BOOST_AUTO_TEST_CASE(asked_again, *description(
    "a thread that stays in user mode is asked until the time is over"))
{
	const api::child c([](int) {
		for (;;)
			asm volatile("" : : : "memory");
	});
	stack9_save_options o{};
	o.size = sizeof o;
	o.timeout_ms = 60;
	stack9_sample *s = nullptr;
	const std::uint64_t begin = now_ms();
	const int error = stack9_save(&(const stack9_thread &)c.thread(),
	    STACK9_KERNEL, &o, &s);
	const api::sample kept(s);
	const std::uint64_t took = now_ms() - begin;
	// A tick may have met it in the kernel.
	if (error == EAGAIN)
		BOOST_TEST(took >= 60);
	else
		BOOST_TEST(error == 0);
}

BOOST_AUTO_TEST_CASE(listed, *description(
    "the threads of a process are listed by ascending tid"))
{
	stack9_thread self{}, list[64];
	std::uint32_t n = 0;
	stack9_thread_self(&self);
	int fds[2];
	BOOST_REQUIRE(pipe(fds) == 0);
	std::thread other([&] {
		char byte;
		BOOST_TEST(read(fds[0], &byte, 1) == 1);
	});
	BOOST_TEST(stack9_thread_list(&self, list, 64, &n) == 0);
	BOOST_TEST(n >= 2);
	for (std::uint32_t i = 1; i < n && i < 64; i++)
		BOOST_TEST(list[i - 1].tid < list[i].tid);
	BOOST_TEST(list[0].pid == getpid());
	BOOST_TEST(list[0].start != 0);
	std::uint32_t again = 0;
	BOOST_TEST(stack9_thread_list(&self, nullptr, 0, &again) == 0);
	BOOST_TEST(again == n);
	BOOST_TEST(write(fds[1], "x", 1) == 1);
	other.join();
	close(fds[0]);
	close(fds[1]);
	BOOST_TEST(stack9_thread_list(&self, nullptr, 1, &n) == EINVAL);
	const stack9_thread none{1 << 22, 1 << 22, 0};
	BOOST_TEST(stack9_thread_list(&none, list, 64, &n) == ESRCH);
}

BOOST_AUTO_TEST_SUITE_END()
