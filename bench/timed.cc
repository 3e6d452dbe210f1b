// Runs a program once and prints the time that it took, from before its start
// to after it is reaped, while the clock of a user_victim runs.
//
//	timed page-fd output program argument ...
//	timed page-fd output idle|busy milliseconds
//
// prints microseconds of time, of CPU, KiB of memory, the wait status.
//
// This is a small program of its own, because the most memory that a started
// program is said to have used begins with its parent's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "user_clock.h"

namespace {

double
us_now()
{
	timespec t{};
	clock_gettime(CLOCK_MONOTONIC, &t);
	return static_cast<double>(t.tv_sec) * 1e6 +
	    static_cast<double>(t.tv_nsec) / 1e3;
}

double
us(const timeval &t)
{
	return static_cast<double>(t.tv_sec) * 1e6 +
	    static_cast<double>(t.tv_usec);
}

// Nobody looks: what the clock sees then.
void
wait_idle(const char *milliseconds)
{
	const long ms = std::atol(milliseconds);
	const timespec t{ms / 1000, ms % 1000 * 1'000'000};
	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, nullptr);
}

// ... and what of a neighbour that has nothing to do with it.
void
wait_busy(const char *milliseconds)
{
	const double end = us_now() + std::atof(milliseconds) * 1e3;
	while (us_now() < end)
		;
}

int
run(const char *output, char **argv, rusage &used)
{
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY,
	    0);
	posix_spawn_file_actions_addopen(&actions, 1, output,
	    O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_adddup2(&actions, 1, 2);
	pid_t pid = -1;
	int status = -1;
	if (posix_spawnp(&pid, argv[0], &actions, nullptr, argv, environ) == 0)
		wait4(pid, &status, 0, &used);
	posix_spawn_file_actions_destroy(&actions);
	return status;
}

} // namespace

int
main(int argc, char **argv)
{
	alarm(100);	// whatever the program has done to the clock
	if (argc < 4)
		return 64;
	clock_page *const page = map_clock_page(std::atoi(argv[1]));
	if (page == nullptr)
		return 64;
	fcntl(std::atoi(argv[1]), F_SETFD, FD_CLOEXEC);
	rusage used{};
	int status = 0;
	start_window(*page);
	const double begin = us_now();
	if (argc == 5 && std::strcmp(argv[3], "idle") == 0)
		wait_idle(argv[4]);
	else if (argc == 5 && std::strcmp(argv[3], "busy") == 0)
		wait_busy(argv[4]);
	else
		status = run(argv[2], argv + 3, used);
	const double end = us_now();
	end_window(*page);
	std::printf("%.0f %.0f %ld %d\n", end - begin,
	    us(used.ru_utime) + us(used.ru_stime), used.ru_maxrss, status);
	return 0;
}
