// Tests stack(9), "Holding".
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9/sys/malloc.h>
#include <stack9/sys/stack.h>
#include "os/task_directory.h"

using boost::unit_test::description;

namespace {

bool
is_zero(const struct stack &st)
{
	return st.depth == 0 && std::all_of(st.pcs, st.pcs + STACK_MAX,
	    [](vm_offset_t pc) { return pc == 0; });
}

struct stack
counted(int depth)
{
	struct stack st{};
	for (int i = 0; i < depth; i++)
		BOOST_REQUIRE_EQUAL(stack_put(&st, 0x1000u + i), 0);
	return st;
}

// Runs f in a child that can get no more memory; with wakes it gets memory
// back as soon as it sleeps for want of it.  f's int is the exit status.
template <class F> int
without_memory(bool wakes, F f)
{
	const pid_t pid = fork();
	if (pid == 0) {
		signal(SIGUSR1, [](int) {
			const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
			setrlimit(RLIMIT_AS, &all);
		});
		const rlimit none{0, RLIM_INFINITY};
		setrlimit(RLIMIT_AS, &none);
		static void *volatile kept;
		for (std::size_t size = 1 << 16; size >= 16; size /= 2)
			// volatile, or the compiler sees no use and no call.
			do
				kept = std::malloc(size);
			while (kept != nullptr);
		_exit(f());
	}
	stack9::thread_stat stat{};
	const std::string path = "/proc/" + std::to_string(pid) + "/stat";
	while (wakes && stat.state != 'S' && !stat.is_dead())
		BOOST_REQUIRE(stack9::read_stat(AT_FDCWD, path.c_str(),
		    stat) == 0);
	if (wakes)
		kill(pid, SIGUSR1);
	int status = -1;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

BOOST_AUTO_TEST_SUITE(hold)

BOOST_AUTO_TEST_CASE(layout, *description(
    "A struct stack holds up to STACK_MAX (18) program counters"))
{
	BOOST_TEST(STACK_MAX == 18);
	BOOST_TEST(sizeof(struct stack) == 152u);
	BOOST_TEST(offsetof(struct stack, depth) == 0u);
	BOOST_TEST(offsetof(struct stack, pcs) == 8u);
	BOOST_TEST(sizeof(vm_offset_t) == sizeof(void *));
}

BOOST_AUTO_TEST_CASE(create, *description(
    "stack_create() allocates a struct stack that is empty"))
{
	for (int flags : {0, M_WAITOK, M_NOWAIT, M_WAITOK | M_NOWAIT,
	    M_WAITOK | M_ZERO, M_NOWAIT | M_ZERO}) {
		struct stack *st = stack_create(flags);
		BOOST_REQUIRE(st != nullptr);
		BOOST_TEST(is_zero(*st));
		std::memset(st, 0xa5, sizeof *st);
		stack_destroy(st);
	}
	struct stack *st = stack_create();
	BOOST_REQUIRE(st != nullptr);
	BOOST_TEST(is_zero(*st));
	stack_destroy(st);
}

BOOST_AUTO_TEST_CASE(destroy_null, *description(
    "stack_destroy() frees a stack that stack_create() returned; NULL is "
    "allowed"))
{
	stack_destroy(nullptr);
}

#ifndef SANITIZED	// it needs memory of its own
BOOST_AUTO_TEST_CASE(create_nowait, *description(
    "stack_create() returns NULL only with M_NOWAIT, if there is no memory"))
{
	BOOST_TEST(without_memory(false, [] {
		return stack_create(M_NOWAIT) == nullptr ? 17 : 1;
	}) == 17);
}

BOOST_AUTO_TEST_CASE(create_waitok, *description(
    "With M_WAITOK the call tries again every 10 milliseconds until there is "
    "memory; neither, or both, means M_WAITOK"))
{
	for (int flags : {M_WAITOK, 0, M_WAITOK | M_NOWAIT})
		BOOST_TEST(without_memory(true, [flags] {
			const struct stack *st = stack_create(flags);
			return st != nullptr && is_zero(*st) ? 17 : 1;
		}) == 17);
}
#endif

BOOST_AUTO_TEST_CASE(put, *description(
    "stack_put() appends pc"))
{
	struct stack st{};
	BOOST_TEST(stack_put(&st, 0x10) == 0);
	BOOST_TEST(stack_put(&st, 0) == 0);
	BOOST_TEST(stack_put(&st, ~vm_offset_t{0}) == 0);
	BOOST_TEST(st.depth == 3);
	BOOST_TEST(st.pcs[0] == 0x10u);
	BOOST_TEST(st.pcs[1] == 0u);
	BOOST_TEST(st.pcs[2] == ~vm_offset_t{0});
	BOOST_TEST(st.pcs[3] == 0u);
}

BOOST_AUTO_TEST_CASE(put_full, *description(
    "stack_put() returns 0, or -1 if st is full"))
{
	struct {
		struct stack	st;
		unsigned long	behind;
	} s{counted(STACK_MAX), 42};
	const struct stack before = s.st;
	BOOST_TEST(stack_put(&s.st, 0x99) == -1);
	BOOST_TEST(std::memcmp(&before, &s.st, sizeof before) == 0);
	BOOST_TEST(s.behind == 42u);
}

BOOST_AUTO_TEST_CASE(put_bad_depth, *description(
    "COMPATIBILITY: stack_put() returns -1 for such a stack (a depth out of "
    "range), as for a full one"))
{
	struct stack st = counted(3);
	for (int depth : {-1, STACK_MAX + 1, 1 << 30, -(1 << 30)}) {
		st.depth = depth;
		BOOST_TEST(stack_put(&st, 0x99) == -1);
		BOOST_TEST(st.depth == depth);
	}
}

BOOST_AUTO_TEST_CASE(copy, *description(
    "stack_copy() makes dst equal to src"))
{
	const struct stack src = counted(7);
	struct stack dst = counted(STACK_MAX);
	stack_copy(&src, &dst);
	BOOST_TEST(std::memcmp(&src, &dst, sizeof src) == 0);
	stack_copy(&dst, &dst);
	BOOST_TEST(std::memcmp(&src, &dst, sizeof src) == 0);
}

BOOST_AUTO_TEST_CASE(zero, *description(
    "stack_zero() empties st and sets all its program counters to 0"))
{
	struct stack st = counted(STACK_MAX);
	stack_zero(&st);
	BOOST_TEST(is_zero(st));
}

BOOST_AUTO_TEST_SUITE_END()
