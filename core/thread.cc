// Finds threads by tid and start time.  The calling thread's own identity is
// kept in its thread-local storage.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/thread.h"

#include <atomic>
#include <cerrno>

#include <pthread.h>
#include <unistd.h>

#include <stack9/sys/proc.h>

#include "arguments.h"
#include "os/thread_id.h"
#include "os/threads.h"
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

// initial-exec: other models may allocate at first use.  A signal handler must
// not.
[[gnu::tls_model("initial-exec")]] constinit thread_local self me{};

// The tid alone, for threads whose names nobody asked for.
struct kept_tid {
	unsigned int	generation;	// 0: not filled yet
	pid_t		tid;
};

[[gnu::tls_model("initial-exec")]] constinit thread_local kept_tid my_tid{};

// Where no thread can be looked up the names are empty and the start is
// unknown, but pid and tid still identify the thread.
void
fill(self &s, unsigned int now) noexcept
{
	const int kept = errno;
	thread_stat stat{};
	look_up_caller(stat);
	s.td.td_proc = &s.p;
	s.td.td_tid = thread_id();
	s.td.td_start = stat.start;
	copy_name(s.td.td_name, stat.comm);
	stat.threads = 1;
	look_up_callers_process(stat);
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
		my_tid = {now, thread_id()};
	return tid == my_tid.tid && tid == thread_id();
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
		return stack9::failed(EINVAL, stack9::has_no_td);
	const struct thread *self = stack9_curthread();
	*td = {self->td_tid, self->td_proc->p_pid, self->td_start};
	return 0;
}

extern "C" int
stack9_thread_find(pid_t tid, struct stack9_thread *td)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {td == nullptr, has_no_td},
	    {tid < 1, "tid is less than 1"},
	    }); error != 0)
		return error;
	thread_stat stat;
	return failed(find_thread(tid, *td, stat));
}
