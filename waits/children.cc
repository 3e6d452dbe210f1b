// Finds the children that a thread waits for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdio>
#include <string_view>

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/proc_task.h"
#include "context.h"

namespace stack9::waits {
namespace {

// The process that a descriptor of pidfd_open(2) is of; 0: it is none.
pid_t
process_of_descriptor(pid_t tid, int fd)
{
	char path[64], buffer[1024];
	proc_file f;
	std::string_view text;
	std::snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", tid, fd);
	return f.open(AT_FDCWD, path) == 0 && f.read(buffer, text) == 0 ?
	    static_cast<pid_t>(number_behind(text, "\nPid:")) : 0;
}

// The children that a call waits for.
struct wanted_children {
	bool	any = false, here = false;	// here: as pid is in /proc
	pid_t	pid = 0, group = 0;
};

wanted_children
wanted_by(const blocked &w)
{
	const auto id = static_cast<pid_t>(w.arg(w.facts->call == SYS_waitid));
	wanted_children c;
	if (w.facts->call == SYS_wait4) {
		c.any = id == -1;
		c.pid = std::max(id, 0);
		c.group = id < -1 ? -id : id == 0 ? getpgid(w.pid()) : 0;
		c.here = id == 0;
	} else if (w.arg(0) == P_PIDFD) {
		c.pid = process_of_descriptor(w.tid(), id);
		c.here = true;
	} else if (w.arg(0) == P_PID) {
		c.pid = id;
	} else if (w.arg(0) == P_PGID) {
		c.group = id != 0 ? id : getpgid(w.pid());
		c.here = id == 0;
	} else {
		c.any = true;
	}
	return c;
}

// Numbers of a call are of the pid namespace of its process.
bool
is_wanted(const wanted_children &c, const blocked &w, context &x, pid_t child)
{
	const pid_t seen = c.pid != 0 ? child : getpgid(child);
	const pid_t wanted = c.pid != 0 ? c.pid : c.group;
	return c.any || (wanted > 0 && wanted == (c.here ? seen :
	    x.people.number_in(w.pid(), seen)));
}

} // namespace

void
find_child(blocked &w, context &x)
{
	const wanted_children wanted = wanted_by(w);
	const bool own = (w.arg(w.facts->call == SYS_waitid ? 3 : 2) &
	    __WNOTHREAD) != 0;
	w.is(STACK9_WAIT_CHILD);
	stack9_thread td{};
	bool all = true;
	for (const process_children::child &c : x.children.of(w.pid())) {
		if ((own && c.parent != w.tid()) ||
		    !is_wanted(wanted, w, x, c.pid))
			continue;
		if (x.people.find_living(c.pid, td))
			w.add(td, STACK9_ROLE_TARGET, STACK9_HOLDER_PROCESS);
		else
			all = false;
	}
	if (w.holders.empty())
		w.reason = wanted.pid > 0 ? "the child that it waits for is "
		    "not visible here" : "no living child is visible here";
	else if (wanted.pid > 0 && all)
		w.flags |= STACK9_WAIT_ALL_HOLDERS;
}

// The child has its parent's memory until it execs or exits.
void
find_vfork(blocked &w, context &x)
{
	w.is(STACK9_WAIT_VFORK);
	for (const process_children::child &c : x.children.of(w.pid())) {
		stack9_thread td{};
		if (c.parent == w.tid() && syscall(SYS_kcmp, w.pid(), c.pid,
		    KCMP_VM, 0, 0) == 0 && x.people.find_living(c.pid, td))
			w.add(td, STACK9_ROLE_TARGET, STACK9_HOLDER_PROCESS);
	}
	if (w.holders.empty())
		w.reason = "the child that has its memory is not visible here";
	else if (w.holders.size() == 1)
		w.flags |= STACK9_WAIT_ALL_HOLDERS;
}

} // namespace stack9::waits
