// All benchmarks, or those named: one all running own programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <string_view>

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "benches.h"
#include "peers.h"

int
main(int argc, char **argv)
{
	if (argc < 2) {
		fmt::print(stderr, "usage: stack9_bench stackprint "
		    "[one|all|running|own|programs]...\n");
		return 64;
	}
	const auto wanted = [&](std::string_view name) {
		for (int i = 2; i < argc; i++)
			if (name == argv[i])
				return true;
		return argc == 2;
	};
	utsname u{};
	uname(&u);
	fmt::print("{} {} {}, {} CPUs; medians of rounds in turns "
	    "[least .. most]\n", u.sysname, u.release, u.machine,
	    sysconf(_SC_NPROCESSORS_ONLN));
	if (wanted("own"))
		bench_own_stack();
	if (load_empty_program() < 0) {
		fmt::print("\nKernel stacks: bpf(2) is refused here; needs "
		    "CAP_BPF and CAP_PERFMON\n");
		return 0;
	}
	if (wanted("one"))
		bench_one_thread();
	if (wanted("all"))
		bench_all_threads();
	if (wanted("running"))
		bench_running();
	if (wanted("programs"))
		bench_programs(argv[1]);
	return 0;
}
