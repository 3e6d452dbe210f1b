// Names all user stacks of the machine with their lines: our view of each file
// against libdwfl's view of each process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benches.h"
#include "own_cells.h"
#include "statistics.h"
#include "user_target.h"

namespace {

constexpr unsigned of_each = 30;

// A process of a program with much debug information, asleep deep in it.
class deep_sleeper {
public:
	deep_sleeper()
	{
		int p[2];
		if (pipe(p) != 0)
			return;
		pid_ = fork();
		if (pid_ == 0) {
			dup2(p[1], 1);
			const std::string program = beside("names_worker");
			execl(program.c_str(), program.c_str(), "-", "asleep",
			    "200", nullptr);
			_exit(127);
		}
		close(p[1]);
		char byte;
		if (read(p[0], &byte, 1) != 1)	// it is where it should be
			fmt::print("names_worker did not start\n");
		close(p[0]);
	}
	deep_sleeper(const deep_sleeper &) = delete;
	~deep_sleeper()
	{
		if (pid_ > 0) {
			kill(pid_, SIGKILL);
			waitpid(pid_, nullptr, 0);
		}
	}

private:
	pid_t	pid_ = -1;
};

struct naming {
	std::vector<double>	ms;
	std::size_t		processes = 0, addresses = 0;
	unsigned		had = 0;

	void
	add(const std::string &text)
	{
		double took = 0;
		if (std::sscanf(text.c_str(), "%lf %zu %zu %u", &took,
		    &processes, &addresses, &had) == 4)
			ms.push_back(took);
	}
};

void
print(const char *who, const naming &n)
{
	fmt::print("  {:<31} {:>9.1f} ms of CPU, lowest {:>9.1f}; {} lines of "
	    "{} addresses in {} processes\n", who, median(n.ms), lowest(n.ms),
	    n.had, n.addresses, n.processes);
}

} // namespace

void
bench_user_machine(bool quick)
{
	std::vector<std::unique_ptr<user_target>> shallow;
	std::vector<std::unique_ptr<deep_sleeper>> deep;
	for (unsigned i = 0; i < of_each; i++) {
		shallow.push_back(std::make_unique<user_target>(4, 20));
		deep.push_back(std::make_unique<deep_sleeper>());
	}
	const std::string file = fmt::format("{}/stack9-bench-machine.{}",
	    std::filesystem::temp_directory_path().string(), getpid());
	answer({"names_machine", "collect", file, 0});
	naming ours, theirs;
	for (int i = 0; i < (quick ? 1 : 5); i++) {
		ours.add(answer({"names_machine", "stack9", file, 0}));
		theirs.add(answer({"names_machine", "libdwfl", file, 0}));
	}
	std::filesystem::remove(file);
	fmt::print("\nlines of all user stacks of the machine, {} processes of "
	    "each of two programs in it;\neach address of a process once; in a "
	    "fresh process\n", of_each);
	if (ours.ms.empty() || theirs.ms.empty()) {
		fmt::print("  none: it takes a route that stops nobody\n");
		return;
	}
	print("stack9_frame_at, with lines", ours);
	print("libdwfl, a view a process", theirs);
	const double times = lowest(theirs.ms) / lowest(ours.ms);
	fmt::print("  ratio {:.1f} times, floor 50: {}\n", times,
	    times >= 50 ? "held" : "MISSED");
}
