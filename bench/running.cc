// Times the kernel stack of a thread that runs on another CPU.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <sched.h>
#include <stack9.h>

#include "benches.h"
#include "captured.h"
#include "pair.h"
#include "peers.h"
#include "victim.h"

namespace {

// Keeps this thread off CPU 1, where the spinners are.
bool
leave_cpu_1(cpu_set_t &before)
{
	if (sched_getaffinity(0, sizeof before, &before) != 0 ||
	    !CPU_ISSET(1, &before) || CPU_COUNT(&before) < 2)
		return false;
	cpu_set_t set = before;
	CPU_CLR(1, &set);
	return sched_setaffinity(0, sizeof set, &set) == 0;
}

struct timed {
	std::vector<double> took;

	double
	at(std::size_t percent)
	{
		std::sort(took.begin(), took.end());
		return took.empty() ? 0 :
		    took[(took.size() - 1) * percent / 100];
	}
};

const char *
word_for(const captured &c)
{
	if (c.error != 0)
		return stack9_why_text(c.why);
	return c.depth == 0 ? "empty success" : "kernel frames";
}

// 1000 captures that met the thread on its CPU, and an empty interrupt to
// that CPU beside each.
void
bench_route(const char *route, const stack9_thread &td, int program)
{
	std::map<std::string, int> ended;
	timed floor, ours;
	stack9_force(route);
	for (int tries = 0; tries < 100000 && ours.took.size() < 1000;
	    tries++) {
		const double begin = now_us();
		const captured c = capture_side(td, STACK9_KERNEL);
		const double middle = now_us();
		run_empty_program(program, 1);
		const double end = now_us();
		ended[c.route == std::string_view(route) ? word_for(c) :
		    "off its CPU just then"]++;
		if (c.route != std::string_view(route))
			continue;	// it was off its CPU
		ours.took.push_back(middle - begin);
		floor.took.push_back(end - middle);
	}
	stack9_force(nullptr);
	fmt::print("  route {}:", route);
	for (const auto &[how, n] : ended)
		fmt::print(" {} {};", n, how);
	fmt::print("\n    stack9_save {:.2f} us, an empty interrupt {:.2f} us: "
	    "{:.2f} times (goal for ipi: at most 1.5)\n    slowest in a "
	    "hundred {:.1f} us, of an empty interrupt {:.1f} us\n",
	    ours.at(50), floor.at(50), ours.at(50) / floor.at(50),
	    ours.at(99), floor.at(99));
}

void
bench_spinner(const char *what, doing d, int program)
{
	const victim v({d});
	stack9_thread td{};
	stack9_thread_find(v.pid(), &td);
	fmt::print("\n{}\n", what);
	bench_route("ipi", td, program);
	bench_route("perf", td, program);
}

} // namespace

void
bench_running()
{
	cpu_set_t before;
	if (!leave_cpu_1(before)) {
		fmt::print("\nrunning threads: needs a second CPU\n");
		return;
	}
	const int program = load_empty_program();
	bench_spinner("a thread that spins in user mode on the other CPU",
	    doing::spin_user, program);
	bench_spinner("a thread that spins in system calls on the other CPU",
	    doing::spin_syscall, program);
	sched_setaffinity(0, sizeof before, &before);
}
