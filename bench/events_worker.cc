// Makes events, from a stack of its own functions, as often or as fast as it is
// asked to, and says how long it took.
//
//	events_worker depth		then lines: calls rate stacks
//	events_worker once		one call, no more
//
// It prints nanoseconds: those of all calls; and of each call, in the quickest
// batch of 200 and in the median one.
//
// rate: calls a second, at even distances; 0: one after the other.
// depth: frames more; -1: one less.
// stacks: "one"; "tree", 4096 of them in turns, 12 frames deeper; or "leaves",
// 4096 that differ in one function, one frame deeper.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "statistics.h"

namespace {

constexpr long batch = 200;
std::vector<double> batches;	// nanoseconds of each

double
now_ns()
{
	timespec t{};
	clock_gettime(CLOCK_MONOTONIC, &t);
	return static_cast<double>(t.tv_sec) * 1e9 +
	    static_cast<double>(t.tv_nsec);
}

// After call i, of a batch that began then: when the next one begins.
double
end_batch(long i, double begin)
{
	if ((i + 1) % batch != 0)
		return begin;
	batches.push_back(now_ns() - begin);
	return now_ns();
}

[[gnu::noinline]] void
call()
{
	syscall(SYS_getppid);
	asm volatile("");	// no tail call
}

constexpr int turns = 12;
constexpr long stacks = 1 << turns;
long path;

[[gnu::noinline]] void left(int level);
[[gnu::noinline]] void right(int level);

void
turn(int level)
{
	if (level == 0)
		call();
	else if (path >> (level - 1) & 1)
		left(level - 1);
	else
		right(level - 1);
}

void
left(int level)
{
	turn(level);
	asm volatile("");
}

void
right(int level)
{
	turn(level);
	asm volatile("# another function");
}

[[gnu::noinline]] void
make_in_tree(long calls)
{
	double begin = now_ns();
	for (long i = 0; i < calls; i++) {
		path = i % stacks;
		turn(turns);
		begin = end_batch(i, begin);
	}
	asm volatile("");
}

template <long N>
[[gnu::noinline]] void
leaf()
{
	call();
	asm volatile("" : : "i"(N));	// no other one is the same
}

template <long... N>
[[gnu::noinline]] void
make_in_leaves(long calls, std::integer_sequence<long, N...>)
{
	static constexpr void (*leaves[])() = {leaf<N>...};
	double begin = now_ns();
	for (long i = 0; i < calls; i++) {
		leaves[i % stacks]();
		begin = end_batch(i, begin);
	}
	asm volatile("");
}

[[gnu::noinline]] void
make(long calls, double rate)
{
	const double begin = now_ns(), step = rate > 0 ? 1e9 / rate : 0;
	double since = begin;
	for (long i = 0; i < calls; i++) {
		call();
		since = end_batch(i, since);
		while (step > 0 && now_ns() < begin +
		    step * static_cast<double>(i + 1))
			;
	}
	asm volatile("");
}

[[gnu::always_inline]] inline void
make_stacks(const char *which, long calls, double rate)
{
	if (std::strcmp(which, "one") == 0)
		make(calls, rate);
	else if (std::strcmp(which, "tree") == 0)
		make_in_tree(calls);
	else if (std::strcmp(which, "leaves") == 0)
		make_in_leaves(calls, std::make_integer_sequence<long,
		    stacks>());
	else
		std::exit(64);
}

[[gnu::noinline]] void
listen()
{
	char line[80], which[8];
	while (std::fgets(line, sizeof line, stdin) != nullptr) {
		long calls = 0;
		double rate = 0;
		if (std::sscanf(line, "%ld %lf %7s", &calls, &rate,
		    which) != 3)
			std::exit(64);
		batches.clear();
		batches.reserve(static_cast<std::size_t>(calls / batch));
		const double begin = now_ns();
		make_stacks(which, calls, rate);
		const double all = now_ns() - begin;
		std::printf("%.0f %.1f %.1f\n", all, lowest(batches) / batch,
		    median(batches) / batch);
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

[[gnu::always_inline]] inline void
begin(int depth)
{
	if (depth < 0)
		listen();
	else
		descend(depth);
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
		begin(argc == 2 ? std::atoi(argv[1]) : 0);
	return 0;
}
