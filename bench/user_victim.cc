// Runs as a target for user stacks: threads asleep at a depth, and a clock.
//
//	user_victim threads frames page-fd
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user_clock.h"

#include <array>
#include <cstdlib>
#include <thread>
#include <utility>

#include <poll.h>
#include <sys/prctl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

namespace {

constexpr unsigned depth_max = 64;

clock_page *page;

void
sleep_for_good(unsigned thread)
{
	page->ready.fetch_add(1);
	for (;;) {
		const timespec ages{1'000'000, 0};
		if (thread % 2 == 0)
			poll(nullptr, 0, -1);
		else
			clock_nanosleep(CLOCK_MONOTONIC, 0, &ages, nullptr);
	}
}

// Functions that differ in the size of their frames, as a program's do.  Only
// their name is of interest: it says that a frame was named.
template <unsigned Left>
[[gnu::noinline]] unsigned
bench_level(unsigned thread)
{
	volatile char room[16 + Left % 7 * 24];
	room[0] = static_cast<char>(thread);
	if constexpr (Left <= 1)
		sleep_for_good(thread);
	else
		thread += bench_level<Left - 1>(thread);
	return thread + static_cast<unsigned char>(room[0]);
}

using level = unsigned (*)(unsigned);

template <unsigned... Left>
constexpr std::array<level, sizeof...(Left)>
levels(std::integer_sequence<unsigned, Left...>)
{
	return {bench_level<Left>...};
}

constexpr auto level_of =
    levels(std::make_integer_sequence<unsigned, depth_max + 1>());

} // namespace

int
main(int argc, char **argv)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (argc != 4)
		return 64;
	const unsigned threads = static_cast<unsigned>(std::atoi(argv[1]));
	const unsigned depth = static_cast<unsigned>(std::atoi(argv[2]));
	page = map_clock_page(std::atoi(argv[3]));
	if (page == nullptr || depth < 1 || depth > depth_max)
		return 64;
	for (unsigned i = 0; i < threads; i++)
		std::thread(level_of[depth], i).detach();
	page->clock_tid.store(gettid());
	run_clock(*page);
}
