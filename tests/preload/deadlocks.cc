// Runs programs that hang in the capture of another library, and end with this
// one preloaded.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

enum class outcome { ended, failed, hangs };

std::ostream &
operator<<(std::ostream &to, outcome o)
{
	return to << (o == outcome::ended ? "ended" : o == outcome::failed ?
	    "failed" : "hangs");
}

// Runs the program, and kills it if it has not ended in time.
outcome
run(const char *mode, const char *preload, int seconds,
    const char *name = "preload_hanging")
{
	std::vector<std::string> environment;
	for (char **e = environ; *e != nullptr; e++)
		environment.emplace_back(*e);
	if (preload != nullptr)
		environment.push_back(std::string("LD_PRELOAD=") + preload);
	std::vector<char *> envp;
	for (std::string &e : environment)
		envp.push_back(e.data());
	envp.push_back(nullptr);
	std::string program = std::string(TEST_DIR) + name, argument = mode;
	char *argv[] = {program.data(), argument.data(), nullptr};
	pid_t child;
	BOOST_REQUIRE(posix_spawn(&child, program.c_str(), nullptr, nullptr,
	    argv, envp.data()) == 0);
	for (int i = 0; i < seconds * 100; i++) {
		int status;
		if (waitpid(child, &status, WNOHANG) == child)
			return WIFEXITED(status) && WEXITSTATUS(status) == 0 ?
			    outcome::ended : outcome::failed;
		const timespec pause{0, 10000000};
		nanosleep(&pause, nullptr);
	}
	kill(child, SIGKILL);
	waitpid(child, nullptr, 0);
	return outcome::hangs;
}

void
hangs_without(const char *mode, const char *name = "preload_hanging")
{
	BOOST_TEST(run(mode, nullptr, 2, name) == outcome::hangs);
	BOOST_TEST(run(mode, LIBRARY, 60, name) == outcome::ended);
}

} // namespace

BOOST_AUTO_TEST_SUITE(deadlocks)

BOOST_AUTO_TEST_CASE(loader, *boost::unit_test::description(
    "So they end while the caller or another thread holds the loader's lock, "
    "or a lock of the allocator, where the calls of other libraries hang."))
{
	hangs_without("backtrace-while-loading");
}

BOOST_AUTO_TEST_CASE(allocator, *boost::unit_test::description(
    "They take no lock and nothing from the heap, and load no library."))
{
	hangs_without("backtrace-in-malloc");
}

BOOST_AUTO_TEST_CASE(handler_in_malloc, *boost::unit_test::description(
    "backtrace, unw_backtrace, _Unwind_Backtrace and backtrace_symbols_fd are "
    "async-signal-safe from the first call on."))
{
	hangs_without("handler-in-malloc");
}

#ifdef WITH_LIBUNWIND
BOOST_AUTO_TEST_CASE(libunwind)
{
	hangs_without("unw-while-loading", "preload_hanging_unw");
}
#endif

BOOST_AUTO_TEST_CASE(not_otherwise)
{
	BOOST_TEST(run("nothing", nullptr, 60) == outcome::ended);
	BOOST_TEST(run("nothing", LIBRARY, 60) == outcome::ended);
}

BOOST_AUTO_TEST_SUITE_END()
