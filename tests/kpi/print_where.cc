// Tests stack(9), "Printing": where the text goes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstdio>
#include <string>
#include <thread>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>

#include <stack9/sys/malloc.h>

#include "printing.h"

using boost::unit_test::description;

namespace {

// Returns what f writes to fd.
template <class F> std::string
written(int fd, F f)
{
	int ends[2];
	BOOST_REQUIRE(pipe(ends) == 0);
	const int kept = dup(fd);
	std::fflush(stdout);
	dup2(ends[1], fd);
	close(ends[1]);
	f();
	std::fflush(stdout);
	dup2(kept, fd);
	close(kept);
	std::string text;
	char piece[512];
	for (ssize_t n; (n = read(ends[0], piece, sizeof piece)) > 0;)
		text.append(piece, n);
	close(ends[0]);
	return text;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(print_where, with_symbols)

BOOST_AUTO_TEST_CASE(to_stdout, *description(
    "stack_print() and stack_print_short() print to the standard output by "
    "stdio(3)"))
{
	const std::string text = written(STDOUT_FILENO, [] {
		std::printf("before\n");
		stack_print(&mixed);
		std::printf("between ");
		stack_print_short(&mixed);
	});
	BOOST_TEST(text == "before\n" + mixed_long + "between " + mixed_short);
}

BOOST_AUTO_TEST_CASE(one_piece, *description(
    "stack_print() and stack_print_short() print in one piece"))
{
	struct stack st{};
	while (stack_put(&st, 0xffffffff81000fff) == 0)
		;
	const std::string longest(63, 'z');
	const fake::symbol one[] = {
	    {0xffffffff81000000, 0x1000, longest.c_str()}};
	fake::symbols(one);
	int pieces = 0;
	stack9_set_print([](void *arg, const char *, size_t) {
		++*static_cast<int *>(arg);
	}, &pieces);
	stack_print(&st);
	BOOST_TEST(pieces == 1);
	stack_print_short(&st);
	BOOST_TEST(pieces == 2);
}

BOOST_AUTO_TEST_CASE(to_descriptor, *description(
    "stack_print_ddb() and stack_print_short_ddb() write to file descriptor 2, "
    "unless stack9_set_ddb_fd() has set another destination"))
{
	BOOST_TEST(written(STDERR_FILENO, [] {
		stack_print_ddb(&mixed);
		stack_print_short_ddb(&mixed);
	}) == mixed_long + mixed_short);
	const int fd = dup(STDERR_FILENO);
	stack9_set_ddb_fd(fd);
	BOOST_TEST(written(fd, [] {
		stack_print_ddb(&mixed);
	}) == mixed_long);
	close(fd);
}

BOOST_AUTO_TEST_CASE(ddb_errno, *description(
    "The _ddb variants keep errno"))
{
	stack9_set_ddb_fd(-1);		// every write(2) says EBADF
	errno = 4711;
	stack_print_ddb(&mixed);
	stack_print_short_ddb(&mixed);
	BOOST_TEST(errno == 4711);
}

// A pipe that takes one byte at a time and a timer that interrupts: the text
// must come whole all the same.
BOOST_AUTO_TEST_CASE(interrupted, *description(
    "The _ddb variants print the same: all of it, even if write(2) is "
    "interrupted or takes less"))
{
	int ends[2];
	BOOST_REQUIRE(pipe(ends) == 0);
	BOOST_REQUIRE(fcntl(ends[1], F_SETPIPE_SZ, 4096) >= 0);
	stack9_set_ddb_fd(ends[1]);
	struct sigaction act{};
	act.sa_handler = [](int) {};	// no SA_RESTART: EINTR
	sigaction(SIGUSR1, &act, nullptr);
	const pthread_t writer = pthread_self();
	std::string text;
	std::thread reader([&] {
		sigset_t none;
		sigfillset(&none);
		pthread_sigmask(SIG_SETMASK, &none, nullptr);
		char piece[64];
		for (ssize_t n; (n = read(ends[0], piece, sizeof piece)) > 0;) {
			text.append(piece, n);
			pthread_kill(writer, SIGUSR1);
		}
	});
	std::string expected;
	for (int i = 0; i < 200; i++) {
		stack_print_ddb(&mixed);
		expected += mixed_long;
	}
	close(ends[1]);
	reader.join();
	signal(SIGUSR1, SIG_DFL);
	close(ends[0]);
	BOOST_TEST((text == expected));
}

BOOST_AUTO_TEST_CASE(small_sbuf, *description(
    "stack_sbuf_print() prints the long format: into a drained sbuf of 32 "
    "bytes too"))
{
	std::string text;
	char storage[32];
	struct sbuf sb;
	sbuf_new(&sb, storage, sizeof storage, SBUF_FIXEDLEN);
	sbuf_set_drain(&sb, [](void *arg, const char *data, int len) {
		append(arg, data, len);
		return len;
	}, &text);
	stack_sbuf_print(&sb, &mixed);
	stack_sbuf_print_ddb(&sb, &mixed);
	BOOST_TEST(stack_sbuf_print_flags(&sb, &mixed, M_WAITOK,
	    STACK_SBUF_FMT_COMPACT) == 0);
	BOOST_TEST(sbuf_finish(&sb) == 0);
	BOOST_TEST(text == mixed_long + mixed_long + mixed_compact);
}

BOOST_AUTO_TEST_SUITE_END()
