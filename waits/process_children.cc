// Reads the children of processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "process_children.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "os/task_directory.h"
#include "os/proc_task.h"
#include "os/unique_dir.h"

namespace stack9::waits {
namespace {

void
add_children_of(pid_t pid, pid_t tid, std::vector<process_children::child> &all)
{
	char path[64], buffer[16384];
	proc_file f;
	std::string_view text;
	std::snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, tid);
	if (f.open(AT_FDCWD, path) != 0 || f.read(buffer, text) != 0)
		return;
	while (!text.empty()) {
		pid_t child = 0;
		number(word(text, 0), child);
		if (child > 0)
			all.push_back({child, tid});
		text.remove_prefix(std::min(text.find(' '), text.size() - 1) +
		    1);
	}
}

} // namespace

// A process waits for the children of all of its threads.
const std::vector<process_children::child> &
process_children::of(pid_t pid)
{
	const auto [it, is_new] = known_.try_emplace(pid);
	std::vector<child> &all = it->second;
	char path[48];
	std::snprintf(path, sizeof path, "/proc/%d/task", pid);
	if (!is_new)
		return all;
	if (const unique_dir tasks = open_dir(path))
		each_task(dirfd(tasks.get()), [&](pid_t tid) {
			add_children_of(pid, tid, all);
			return true;
		});
	return all;
}

} // namespace stack9::waits
