// Times whole programs: stackprint TID against cat /proc/TID/stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benches.h"
#include "pair.h"
#include "victim.h"

namespace {

void
run(const std::vector<std::string> &words)
{
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY,
	    0);
	std::vector<char *> argv;
	for (const std::string &word : words)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);
	pid_t pid = -1;
	if (posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(),
	    environ) == 0)
		waitpid(pid, nullptr, 0);
	posix_spawn_file_actions_destroy(&actions);
}

} // namespace

void
bench_programs(const char *stackprint)
{
	const victim v({doing::poll});
	const std::string tid = std::to_string(v.pid());
	const auto costs = compare("whole programs, names included", {
		{"cat /proc/TID/stack", [&] {
			run({"cat", "/proc/" + tid + "/stack"});
		}},
		{"stackprint -k TID", [&] {
			run({stackprint, "-k", tid});
		}},
		{"stackprint TID", [&] { run({stackprint, tid}); }},
	}, 101, "");
	fmt::print("  {:<46} {:>10.2f} ms      goal: within 3\n",
	    "stackprint -k is slower by",
	    (costs[1].median - costs[0].median) / 1000);
}
