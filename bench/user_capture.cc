// Times captures of user stacks of another process, by each route, from a
// program that has the library loaded and keeps the space.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <stack9.h>

#include "apart.h"
#include "benches.h"
#include "captured.h"
#include "own_cells.h"
#include "own_clock.h"
#include "statistics.h"
#include "user_target.h"

namespace {

constexpr struct {
	const char	*name;
	stack9_side	side;
} each_way[] = {
	{"stack9_each(USER)", STACK9_USER},
	{"stack9_each(BOTH)", STACK9_BOTH},
	{"stack9_each(KERNEL)", STACK9_KERNEL},
};

int
count(void *arg, const stack9_sample *sample)
{
	for (const stack9_stack *side : {sample->kernel, sample->user})
		if (side != nullptr)
			*static_cast<std::uint64_t *>(arg) += side->depth;
	return 0;
}

struct pass_cost {
	std::vector<double>	wall, cpu;
	std::uint64_t		frames = 0;
	int			error = 0;
};

void
run_pass(stack9_side side, const stack9_thread &td, pass_cost &c)
{
	c.frames = 0;
	const double begin = now_ns(), began = cpu_ns();
	c.error = stack9_each(&td, side, nullptr, count, &c.frames);
	c.cpu.push_back(cpu_ns() - began);
	c.wall.push_back(now_ns() - begin);
}

// All threads of a process in one pass, unwound.
void
bench_each(user_target &t, unsigned threads, int rounds)
{
	pass_cost costs[std::size(each_way)];
	stack9_thread td{};
	stack9_thread_find(t.pid(), &td);
	for (int r = 0; r < rounds; r++)
		for (std::size_t i = 0; i < std::size(each_way); i++)
			run_pass(each_way[i].side, td, costs[i]);
	const double us = 1e3 * threads;
	for (std::size_t i = 0; i < std::size(each_way); i++)
		fmt::print("  {:<31} {:>8.2f} us a thread, lowest {:>7.2f}, "
		    "cpu {:>6.2f}; {} frames{}\n", each_way[i].name,
		    median(costs[i].wall) / us, lowest(costs[i].wall) / us,
		    lowest(costs[i].cpu) / us, costs[i].frames,
		    costs[i].error == 0 ? "" :
		    fmt::format(", error {}", costs[i].error));
}

struct found_routes {
	std::vector<std::string>	asleep, running;
};

int
add_route(void *arg, const char *job, const char *route, int error,
    const char *)
{
	auto &found = *static_cast<found_routes *>(arg);
	const std::string_view j(job);
	if (error == 0 && j == "user stack")
		found.asleep.push_back(route);
	if (error == 0 && j == "user stack of a running thread")
		found.running.push_back(route);
	return 0;
}

// One thread again and again.
struct single {
	stack9_thread	td{};
	stack9_space	*space;
	captured	last{};

	single(pid_t tid, stack9_space *kept) : space(kept)
	{
		stack9_thread_find(tid, &td);
	}

	double
	once()
	{
		const double begin = now_ns();
		last = capture_side(td, STACK9_USER, space);
		return (now_ns() - begin) / 1e3;
	}
};

constexpr double patience_ns = 3e9;

// Captures that the forced route took: others met the thread elsewhere, off
// its CPU perhaps.
void
bench_route(const std::string &route, single &s, std::size_t rounds)
{
	std::vector<double> took;
	std::uint32_t depth = 0;
	std::size_t others = 0;
	stack9_force(route.c_str());
	const double begin = now_ns();
	while (took.size() < rounds && now_ns() - begin < patience_ns) {
		const double us = s.once();
		if (s.last.error != 0 || s.last.route != route) {
			others++;
			continue;
		}
		took.push_back(us);
		depth = s.last.depth;
	}
	stack9_force(nullptr);
	fmt::print("  {:<31} {:>8.2f} us, lowest {:>7.2f}, p99 {:>8.2f}; {} "
	    "frames; {} by it, {} not\n", route, median(took), lowest(took),
	    percentile(took, 99), depth, took.size(), others);
}

void
bench_single(user_target &t, std::size_t rounds)
{
	found_routes found;
	stack9_routes(add_route, &found);
	stack9_thread td{};
	stack9_space *space = nullptr;
	if (stack9_thread_find(t.pid(), &td) != 0 ||
	    stack9_space_open(&td, &space) != 0) {
		fmt::print("  no space of it could be had\n");
		return;
	}
	fmt::print(" one thread asleep, stack9_save(USER), space kept\n");
	single asleep(t.sleepers().front(), space);
	for (const std::string &route : found.asleep)
		bench_route(route, asleep, rounds);
	fmt::print(" one thread that spins\n");
	const apart cpus(t.pid());
	single spinning(t.pid(), space);
	start_window(t.page());
	for (const std::string &route : found.running)
		bench_route(route, spinning, rounds);
	end_window(t.page());
	stack9_space_close(space);
}

} // namespace

void
bench_user_capture(bool quick)
{
	for (const unsigned frames : {10u, 50u}) {
		user_target t(1000, frames);
		if (!t.in_place())
			return;
		fmt::print("\nuser stacks of 1000 threads of another process, "
		    "{} frames of its own each\n", frames);
		const std::string parts = answer({"user_parts",
		    std::to_string(t.pid()), quick ? "quick" : "", 1000});
		fmt::print("{}", parts.empty() ? "  no parts\n" : parts);
		bench_each(t, 1000, quick ? 5 : 31);
		bench_single(t, quick ? 100 : 2000);
	}
}
