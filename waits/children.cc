// Finds the children that a thread waits for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "world.h"

#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/seam/thread.h"
#include "os/linux/proc_task.h"
#include "os/linux/unique_dir.h"

namespace stack9::waits {
namespace {

void
add_children_of(pid_t pid, pid_t tid, std::vector<pid_t> &all)
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
			all.push_back(child);
		text.remove_prefix(std::min(text.find(' '), text.size() - 1) +
		    1);
	}
}

// A process waits for the children of all of its threads.
std::vector<pid_t>
children_of(const waiter &w)
{
	std::vector<pid_t> all;
	char path[48];
	std::snprintf(path, sizeof path, "/proc/%d/task", w.pid());
	if (const unique_dir tasks = open_dir(path))
		each_task(dirfd(tasks.get()), [&](pid_t tid) {
			add_children_of(w.pid(), tid, all);
			return true;
		});
	return all;
}

pid_t
wanted_child(const waiter &w)
{
	if (w.facts->call == SYS_wait4)
		return static_cast<pid_t>(w.arg(0));
	return w.arg(0) == P_PID ? static_cast<pid_t>(w.arg(1)) : -1;
}

} // namespace

void
find_child(waiter &w, world &x)
{
	const pid_t wanted = wanted_child(w);
	w.is(STACK9_WAIT_CHILD);
	stack9_thread td{};
	bool all = true;
	for (const pid_t child : children_of(w)) {
		if (wanted > 0 && child != wanted)
			continue;
		if (x.people.find_living(child, td))
			w.add(td, STACK9_ROLE_TARGET, STACK9_HOLDER_PROCESS);
		else
			all = false;
	}
	if (w.holders.empty())
		w.reason = wanted > 0 ? "the child that it waits for is not "
		    "visible here" : "no living child is visible here";
	else if (wanted > 0 && all)
		w.flags |= STACK9_WAIT_ALL_HOLDERS;
}

// The child has its parent's memory until it execs or exits.
void
find_vfork(waiter &w, world &x)
{
	w.is(STACK9_WAIT_VFORK);
	std::vector<pid_t> mine;
	add_children_of(w.pid(), w.tid(), mine);
	for (const pid_t child : mine) {
		stack9_thread td{};
		if (syscall(SYS_kcmp, w.pid(), child, KCMP_VM, 0, 0) == 0 &&
		    x.people.find_living(child, td))
			w.add(td, STACK9_ROLE_TARGET, STACK9_HOLDER_PROCESS);
	}
	if (w.holders.empty())
		w.reason = "the child that has its memory is not visible here";
	else if (w.holders.size() == 1)
		w.flags |= STACK9_WAIT_ALL_HOLDERS;
}

} // namespace stack9::waits
