// Times the kernel stack of one sleeping thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9.h>

#include "benches.h"
#include "captured.h"
#include "pair.h"
#include "peers.h"
#include "victim.h"

void
bench_one_thread()
{
	const victim v({doing::poll});
	stack9_thread td{};
	stack9_thread_find(v.pid(), &td);
	compare("kernel stack of one sleeping thread, lock and checks included",
	    {
		{"stack9_save", [&] {
			capture_side(td, STACK9_KERNEL);
		}, 200},
		{"read /proc/PID/task/TID/stack", [&] {
			read_proc_stack(v.pid(), v.pid());
		}, 200},
	    }, 101, "goal: 3");
	for (const char *route : {"iter-tid", "iter-filter"}) {
		stack9_force(route);
		compare(std::string("the same by route ") + route, {
			{"stack9_save", [&] {
				capture_side(td, STACK9_KERNEL);
			}, 50},
			{"read /proc/PID/task/TID/stack", [&] {
				read_proc_stack(v.pid(), v.pid());
			}, 50},
		}, 51, "");
	}
	stack9_force(nullptr);
}
