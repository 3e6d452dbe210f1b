// Tests that the time of a wait is known for threads of all CPUs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>

#include <sched.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "check.h"
#include "lib/process.h"
#include "require.h"

namespace {

// The clocks of two CPUs differ by seconds.  Those who sleep on both are asked.
BOOST_AUTO_TEST_CASE(idle_on_each_cpu, *needs("bpf") *
    boost::unit_test::description("The time since the thread ran last, to some "
    "milliseconds, from the kernel; 0 if it is not known."))
{
	const std::uint64_t before = lib::boot_ns();
	scene of([](stage &s) {
		cpu_set_t mine;
		sched_getaffinity(0, sizeof mine, &mine);
		begin_process(s, 0, [] { });
		for (int cpu = 0, n = 1; cpu < CPU_SETSIZE && n < 5; cpu++)
			if (CPU_ISSET(cpu, &mine))
				act(s, n++, STACK9_WAIT_SIGNAL, -1, [cpu] {
					cpu_set_t one;
					CPU_ZERO(&one);
					CPU_SET(cpu, &one);
					sched_setaffinity(0, sizeof one, &one);
					pause();
				});
	});
	const actor *const actors = of.get().actors;
	check_scene(of);
	const std::uint64_t asleep = lib::boot_ns();
	wait_until([&] { return lib::boot_ns() > asleep + 100'000'000; });
	all_found all = check_scene(of);
	for (int i = 1; i < of.get().count; i++) {
		const std::uint64_t idle = all[actors[i].tid].idle_ns;
		BOOST_TEST(idle > 0);
		BOOST_TEST(idle <= lib::boot_ns() - before);
	}
}

} // namespace
