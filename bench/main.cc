// Runs all benchmarks, or those that are named.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "benches.h"
#include "peers.h"
#include "wanted.h"

namespace {

void
bench_user(const wanted &w, const char *stackprint)
{
	if (w.has("dump", "user"))
		bench_user_dump(stackprint, w.rows(), w.quick());
	if (w.has("capture", "user"))
		bench_user_capture(w.quick());
	if (w.has("names", "user"))
		bench_user_names(w.quick());
	if (w.has("machine", "user"))
		bench_user_machine(w.quick());
}

void
bench_kernel(const wanted &w, const char *stackprint)
{
	if (load_empty_program() < 0) {
		fmt::print("\nKernel stacks: bpf(2) is refused here; needs "
		    "CAP_BPF and CAP_PERFMON\n");
		return;
	}
	if (w.has("one"))
		bench_one_thread();
	if (w.has("all"))
		bench_all_threads();
	if (w.has("running"))
		bench_running();
	if (w.has("programs"))
		bench_programs(stackprint);
}

} // namespace

int
main(int argc, char **argv)
{
	if (argc < 2) {
		fmt::print(stderr, "usage: stack9_bench stackprint [quick] "
		    "[one|all|running|programs|own|\n    user|dump|capture|"
		    "names|machine|waits|languages|async|\n"
		    "    events|THREADSxFRAMES]...\n");
		return 64;
	}
	setvbuf(stdout, nullptr, _IOLBF, 0);	// it takes minutes
	const wanted w(argc - 2, argv + 2);
	utsname u{};
	uname(&u);
	double load = 0;
	getloadavg(&load, 1);
	fmt::print("{} {} {}, {} CPUs, load {:.1f}; medians of rounds in turns "
	    "[least .. most]\n", u.sysname, u.release, u.machine,
	    sysconf(_SC_NPROCESSORS_ONLN), load);
	if (w.has("own"))
		bench_own_stack();
	bench_kernel(w, argv[1]);
	bench_user(w, argv[1]);
	if (w.has("waits"))
		bench_waits(argv[1], w.quick());
	if (w.has("languages"))
		bench_languages(w.quick());
	if (w.has("async"))
		bench_async(w.quick());
	if (w.has("events")) {
		bench_events(argv[1], w.quick());
		bench_event_programs(argv[1], w.quick());
	}
	return 0;
}
