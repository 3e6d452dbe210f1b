// Plays the two parts of bench/recorder that have to be programs: a process
// with many threads, and passes that record nothing.
//
// usage: recorder_parts threads N
//        recorder_parts passes PID HZ SECONDS
//
// A twentieth of the N threads runs ten times a second, and the others sleep,
// each 20 frames deep.  The passes take both sides of all threads of a process,
// and print their share of one CPU.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <pthread.h>
#include <unistd.h>

#include <stack9.h>

namespace {

constexpr std::int64_t second = 1'000'000'000;

std::int64_t
now(clockid_t clock)
{
	timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * second + t.tv_nsec;
}

[[gnu::noinline]] int
stay(int depth, bool wakes)
{
	if (depth != 0)
		return stay(depth - 1, wakes) + 1;
	for (;;)
		if (wakes)
			usleep(100'000);
		else
			pause();
}

int
threads(unsigned long n)
{
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 * 1024);
	for (unsigned long i = 1; i < n; i++) {
		pthread_t t;
		const int error = pthread_create(&t, &small, [](void *wakes)
		    -> void * {
			stay(16, wakes != nullptr);
			return nullptr;
		}, i % 20 == 0 ? &small : nullptr);
		if (error != 0) {
			std::fprintf(stderr, "%s\n", std::strerror(error));
			return 1;
		}
	}
	std::puts("ready");
	std::fflush(stdout);
	return stay(16, false);
}

int
take(void *count, const stack9_sample *)
{
	++*static_cast<std::size_t *>(count);
	return 0;
}

int
passes(pid_t pid, double hz, double seconds)
{
	const stack9_thread td{pid, pid, 0};
	const auto period = static_cast<std::int64_t>(second / hz);
	const auto count = static_cast<std::int64_t>(seconds * hz);
	std::size_t seen = 0;
	stack9_each(&td, STACK9_BOTH, nullptr, take, &seen);
	const std::int64_t began = now(CLOCK_MONOTONIC);
	const std::int64_t cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	std::int64_t next = began;
	for (std::int64_t i = 0; i < count; i++) {
		if (stack9_each(&td, STACK9_BOTH, nullptr, take, &seen) != 0)
			return 1;
		next += period;
		const timespec t{next / second, next % second};
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
	}
	std::printf("%.2f\n", 100.0 * static_cast<double>(
	    now(CLOCK_PROCESS_CPUTIME_ID) - cpu) /
	    static_cast<double>(now(CLOCK_MONOTONIC) - began));
	return 0;
}

} // namespace

int
main(int argc, char **argv)
{
	if (argc == 3 && std::strcmp(argv[1], "threads") == 0)
		return threads(std::strtoul(argv[2], nullptr, 10));
	if (argc == 5 && std::strcmp(argv[1], "passes") == 0)
		return passes(std::atoi(argv[2]), std::atof(argv[3]),
		    std::atof(argv[4]));
	return 64;
}
