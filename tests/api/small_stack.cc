// Tests that threads with little stack may call the library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>

#include <boost/test/unit_test.hpp>
#include <pthread.h>
#include <stack9_async.h>
#include <stack9_waits.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "require.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(thread_of_32_kib, *description(
    "A thread with 32 KiB of stack may make every call."))

namespace {

constexpr std::size_t small_stack = 32 << 10;

int no_frames(void *, const stack9_frame *) { return 0; }
int no_waits(void *, const stack9_wait *) { return 0; }
void no_text(void *, const char *, std::size_t) {}

int
all_of(void *, const stack9_sample *s)
{
	stack9_print(s, STACK9_FRAMES_LINES, no_text, nullptr);
	const int error = stack9_waits(&s, 1, 0, no_waits, nullptr);
	return error != 0 ? error : stack9_frames(s->user, STACK9_FRAMES_LINES,
	    no_frames, nullptr);
}

// Its exit status, or 128 and the signal that killed it: a thread of a child
// makes the calls.
int
on_a_small_stack(const std::function<int()> &calls)
{
	const pid_t child = fork();
	if (child == 0) {
		static const std::function<int()> *what;
		what = &calls;
		pthread_attr_t attr;
		pthread_attr_init(&attr);
		pthread_attr_setstacksize(&attr, small_stack);
		pthread_t thread;
		void *result = nullptr;
		if (pthread_create(&thread, &attr, [](void *) -> void * {
			return reinterpret_cast<void *>(
			    static_cast<std::intptr_t>((*what)()));
		    }, nullptr) != 0)
			_exit(99);
		pthread_join(thread, &result);
		_exit(static_cast<int>(reinterpret_cast<std::intptr_t>(
		    result)));
	}
	int status = 0;
	BOOST_REQUIRE(waitpid(child, &status, 0) == child);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
	    WEXITSTATUS(status);
}

} // namespace

BOOST_AUTO_TEST_CASE(saves_and_names)
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const stack9_thread td = c.thread();
	BOOST_TEST(on_a_small_stack([&] {
		stack9_sample *s;
		if (const int error = stack9_save(&td, STACK9_BOTH, nullptr,
		    &s); error != 0)
			return error;
		const int error = all_of(nullptr, s);
		stack9_sample_close(s);
		return error;
	}) == 0);
}

BOOST_AUTO_TEST_CASE(writes_and_reads_text)
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const api::sample s = api::save(c.thread(), STACK9_BOTH);
	static char text[1 << 16];
	static std::size_t size;
	BOOST_TEST(on_a_small_stack([&] {
		if (const int error = stack9_write_text(s.get(), 0, [](void *,
		    const char *from, std::size_t n) {
			size = std::min(n, sizeof text);
			std::memcpy(text, from, size);
		}, nullptr); error != 0)
			return error;
		const char *const paths[] = {"/proc/self/exe", "/usr/bin"};
		stack9_space *files;
		stack9_sample *read;
		int error = stack9_space_open_build_ids(paths, 2, &files);
		if (error == 0)
			error = stack9_read_text(files, text, size, nullptr,
			    &read);
		if (error == 0)
			error = stack9_frames(read->user, STACK9_FRAMES_LINES,
			    no_frames, nullptr);
		return error;
	}) == 0);
}

// Where BPF is refused, /proc/TID/stack is asked, whose text is long.
BOOST_AUTO_TEST_CASE(saves_by_proc, *needs("root"))
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const stack9_thread td = c.thread();
	BOOST_REQUIRE(stack9_force("procfs") == 0);
	BOOST_TEST(on_a_small_stack([&] {
		stack9_sample *s;
		const int error = stack9_save(&td, STACK9_KERNEL, nullptr, &s);
		if (error == 0)
			stack9_sample_close(s);
		return error;
	}) == 0);
	BOOST_TEST(on_a_small_stack([&] {
		return stack9_each(&td, STACK9_KERNEL, nullptr,
		    [](void *, const stack9_sample *) { return 0; }, nullptr);
	}) == 0);
	BOOST_REQUIRE(stack9_force(nullptr) == 0);
}

// The child has another stack with lines of its own.
BOOST_AUTO_TEST_CASE(makes_a_pass)
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const stack9_thread td = c.thread();
	BOOST_TEST(on_a_small_stack([&] {
		return stack9_each(&td, STACK9_BOTH, nullptr, all_of, nullptr);
	}) == 0);
}

BOOST_AUTO_TEST_CASE(captures_itself)
{
	BOOST_TEST(on_a_small_stack([] {
		stack9_thread td;
		stack9_sample *s;
		stack9_thread_self(&td);
		if (const int error = stack9_save(&td, STACK9_USER, nullptr,
		    &s); error != 0)
			return error;
		const int error = stack9_frames(s->user, STACK9_FRAMES_LINES,
		    no_frames, nullptr);
		stack9_sample_close(s);
		return error;
	}) == 0);
}

BOOST_AUTO_TEST_CASE(submits, *needs("bpf"))
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const stack9_thread td = c.thread();
	BOOST_TEST(on_a_small_stack([&] {
		stack9_async *a;
		stack9_id id;
		stack9_sample *s;
		int error = stack9_async_open(&a);
		if (error == 0)
			error = stack9_async_submit(a, &td, STACK9_BOTH,
			    STACK9_ASYNC_WAKE, 0, &id);
		while (error == 0 && (error = stack9_async_collect(a, id,
		    nullptr, &s)) == EAGAIN) {
			stack9_sample_close(s);
			error = 0;
		}
		if (error == 0)
			error = all_of(nullptr, s);
		stack9_sample_close(s);
		return error;
	}) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
