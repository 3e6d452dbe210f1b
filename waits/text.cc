// Gives the words for kinds of waits.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9_waits.h>

extern "C" const char *
stack9_wait_text(int kind)
{
	static constexpr const char *words[] = {"unknown", "nothing",
	    "futex", "mutex", "mutex with priority inheritance",
	    "rwlock, to read", "rwlock, to write", "end of a thread",
	    "condition variable", "semaphore", "initialization", "barrier",
	    "flock", "file lock", "pipe", "socket", "descriptor", "poll",
	    "epoll", "child", "vfork", "tracer", "continuation", "sleep",
	    "signal", "io_uring", "kernel mutex", "kernel semaphore",
	    "kernel rwsem, to read", "kernel rwsem, to write",
	    "kernel rt-mutex", "page", "system call", "work",
	    "userfaultfd", "page of a file", "page from swap",
	    "interpreter's lock", "monitor", "lock"};
	constexpr int count = sizeof words / sizeof words[0];
	static_assert(count == STACK9_WAIT_LOCK + 1);
	return kind >= 0 && kind < count ? words[kind] : "unknown";
}
