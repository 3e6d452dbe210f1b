// Makes events, from a stack of its own functions, as often or as fast as it is
// told, and says how long it took.
//
//	events_worker depth		then lines: calls rate
//	events_worker once		one call, no more
//
// rate: calls a second, at even distances; 0: one after the other.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace {

double
now_ns()
{
	timespec t{};
	clock_gettime(CLOCK_MONOTONIC, &t);
	return static_cast<double>(t.tv_sec) * 1e9 +
	    static_cast<double>(t.tv_nsec);
}

[[gnu::noinline]] void
call()
{
	syscall(SYS_getppid);
	asm volatile("");	// no tail call
}

[[gnu::noinline]] void
make(long calls, double rate)
{
	const double begin = now_ns(), step = rate > 0 ? 1e9 / rate : 0;
	for (long i = 0; i < calls; i++) {
		call();
		while (step > 0 && now_ns() < begin +
		    step * static_cast<double>(i + 1))
			;
	}
	asm volatile("");
}

[[gnu::noinline]] void
listen()
{
	char line[80];
	while (std::fgets(line, sizeof line, stdin) != nullptr) {
		long calls = 0;
		double rate = 0;
		if (std::sscanf(line, "%ld %lf", &calls, &rate) != 2)
			std::exit(64);
		const double begin = now_ns();
		make(calls, rate);
		std::printf("%.0f\n", now_ns() - begin);
	}
}

[[gnu::noinline]] void
descend(int depth)
{
	if (depth > 0)
		descend(depth - 1);
	else
		listen();
	asm volatile("");
}

} // namespace

int
main(int argc, char **argv)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setvbuf(stdout, nullptr, _IOLBF, 0);
	if (argc == 2 && std::strcmp(argv[1], "once") == 0)
		call();
	else
		descend(argc == 2 ? std::atoi(argv[1]) : 0);
	return 0;
}
