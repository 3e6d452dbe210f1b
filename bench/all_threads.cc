// Times the kernel stacks of a process of 1000 sleeping threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <stack9.h>

#include "benches.h"
#include "pair.h"
#include "peers.h"
#include "victim.h"

static int
count_frames(void *arg, const stack9_sample *sample)
{
	*static_cast<unsigned long *>(arg) += sample->kernel->depth;
	return 0;
}

void
bench_all_threads()
{
	std::vector<doing> threads;
	for (std::size_t i = 0; i < 1000; i++)
		threads.push_back(all_sleepers[i % std::size(all_sleepers)]);
	const victim v(threads);
	stack9_thread td{};
	stack9_thread_find(v.pid(), &td);
	unsigned long frames = 0;
	const auto costs = compare("kernel stacks of all 1000 threads of a "
	    "process", {
		{"stack9_each", [&] {
			stack9_each(&td, STACK9_KERNEL, nullptr, count_frames,
			    &frames);
		}},
		{"read every /proc/PID/task/TID/stack", [&] {
			for (const pid_t tid : v.tids())
				read_proc_stack(v.pid(), tid);
		}},
	    }, 51, "goal: 5");
	fmt::print("  {:<46} {:>10.3f} us\n", "stack9_each, a thread",
	    costs[0].median / 1000);
}
