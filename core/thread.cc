// Finds threads by tid and start time in /proc.  The calling thread's own
// identity is kept in its thread-local storage.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/thread.h"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <pthread.h>

#include <stack9/sys/proc.h>

#include "reason.h"
#include "os/proc_error.h"
#include "os/uncancelled.h"

namespace stack9 {
namespace {

// Counts fork(2)s, from 1, so that a child does not use its parent's identity.
constinit std::atomic<unsigned int> generation{1};

void
in_child()
{
	generation.fetch_add(1, std::memory_order_relaxed);
}

__attribute__((constructor)) void
find_at_load()
{
	pthread_atfork(nullptr, nullptr, in_child);
}

struct self {
	unsigned int	generation;	// 0: not filled yet
	struct thread	td;
	struct proc	p;
};

// initial-exec: other models may allocate at first use, which a signal
// handler must not.
[[gnu::tls_model("initial-exec")]] constinit thread_local self me{};

// The tid alone, for threads whose names nobody asked for.
struct kept_tid {
	unsigned int	generation;	// 0: not filled yet
	pid_t		tid;
};

[[gnu::tls_model("initial-exec")]] constinit thread_local kept_tid my_tid{};

// Reads the first size bytes of a file in /proc.  -1 and errno.
ssize_t
read_proc(int dir, const char *path, char *text, std::size_t size) noexcept
{
	const unique_fd file(openat(dir, path, O_RDONLY | O_CLOEXEC));
	return file.get() < 0 ? -1 : read(file.get(), text, size);
}

int
read_tgid(int dir, pid_t &tgid) noexcept
{
	char text[512];		// the line is the fourth
	const ssize_t size = read_proc(dir, "status", text, sizeof text);
	if (size < 0)
		return proc_error(errno);
	static constexpr std::string_view key = "\nTgid:\t";
	std::string_view status(text, static_cast<std::size_t>(size));
	const auto at = status.find(key);
	if (at == status.npos || !number(status.substr(at + key.size()), tgid))
		return ESRCH;
	return 0;
}

// Without /proc the names are empty and the start is unknown, but pid and tid
// still identify the thread.
void
fill(self &s, unsigned int now) noexcept
{
	const int kept = errno;
	thread_stat stat{};
	read_stat(AT_FDCWD, "/proc/thread-self/stat", stat);
	s.td.td_proc = &s.p;
	s.td.td_tid = gettid();
	s.td.td_start = stat.start;
	copy_name(s.td.td_name, stat.comm);
	stat.threads = 1;
	read_stat(AT_FDCWD, "/proc/self/stat", stat);
	s.td.td_flags = TDF_INMEM;
	s.p.p_state = PRS_NORMAL;
	s.p.p_pid = getpid();
	s.p.p_numthreads = stat.threads;
	copy_name(s.p.p_comm, stat.comm);
	s.generation = now;
	errno = kept;
}

} // namespace

bool
is_calling_thread(pid_t tid) noexcept
{
	const unsigned int now = generation.load(std::memory_order_relaxed);
	if (my_tid.generation != now)
		my_tid = {now, gettid()};
	return tid == my_tid.tid && tid == gettid();
}

int
read_stat(int dir, const char *path, thread_stat &out) noexcept
{
	const uncancelled guard;
	char text[512];		// field 22 ends before 500
	const ssize_t size = read_proc(dir, path, text, sizeof text);
	if (size < 0)
		return proc_error(errno);
	return parse_stat({text, static_cast<std::size_t>(size)}, out) ? 0 :
	    ESRCH;
}

int
find_thread(pid_t tid, stack9_thread &id, thread_stat &stat) noexcept
{
	if (tid < 1)
		return EINVAL;
	const uncancelled guard;
	// Not /proc/TID: its stat adds up what all threads of the process have
	// used, which takes 0.4 ms if there are 5000.
	char path[48];
	std::snprintf(path, sizeof path, "/proc/%d/task/%d", tid, tid);
	const unique_fd dir(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
	if (dir.get() < 0)
		return proc_error(errno);
	stack9_thread found{tid, 0, 0};
	thread_stat seen{};
	int error = read_stat(dir.get(), "stat", seen);
	if (error == 0)
		error = read_tgid(dir.get(), found.pid);
	if (error != 0)
		return error;
	found.start = seen.start;
	id = found;
	stat = seen;
	return 0;
}

} // namespace stack9

extern "C" struct thread *
stack9_curthread(void)
{
	using namespace stack9;
	const unsigned int now = generation.load(std::memory_order_relaxed);
	if (me.generation != now)
		fill(me, now);
	return &me.td;
}

extern "C" int
stack9_thread_self(struct stack9_thread *td)
{
	if (td == nullptr)
		return EINVAL;
	const struct thread *self = stack9_curthread();
	*td = {self->td_tid, self->td_proc->p_pid, self->td_start};
	return 0;
}

extern "C" int
stack9_thread_find(pid_t tid, struct stack9_thread *td)
{
	using namespace stack9;
	thread_stat stat;
	return td == nullptr || tid < 1 ? EINVAL :
	    failed(find_thread(tid, *td, stat));
}
