// Has memory that the processes of a scene and the test share, and a mutex in
// it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <new>

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <stack9_waits.h>

#include "lib/queued.h"
#include "scene.h"
#include "victim.h"

// Lies at the same address in all of them.
template <class T>
class shared_by_all {
public:
	shared_by_all()
	{
		at_ = new (mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0)) T{};
	}
	~shared_by_all() { munmap(at_, sizeof(T)); }
	shared_by_all(const shared_by_all &) = delete;
	shared_by_all &operator=(const shared_by_all &) = delete;

	T	*operator->() { return at_; }

private:
	T	*at_;
};

struct mutex {
	pthread_mutex_t	lock;

	explicit mutex(int scope = PTHREAD_PROCESS_SHARED,
	    int protocol = PTHREAD_PRIO_NONE)
	{
		pthread_mutexattr_t a;
		pthread_mutexattr_init(&a);
		pthread_mutexattr_setpshared(&a, scope);
		pthread_mutexattr_setprotocol(&a, protocol);
		pthread_mutex_init(&lock, &a);
	}
	// Words of glibc's lock.
	std::uint32_t	*word(int n) { return reinterpret_cast<std::uint32_t *>(
			    &lock) + n; }
	std::uint32_t	*owner() { return word(2); }
	std::uint32_t	*kind() { return word(4); }
};

struct private_mutex : mutex {
	private_mutex() : mutex(PTHREAD_PROCESS_PRIVATE) {}
};

struct inheriting_mutex : mutex {
	inheriting_mutex() : mutex(PTHREAD_PROCESS_SHARED,
	    PTHREAD_PRIO_INHERIT) {}
};

// Returns once the actor sleeps in futex(2).
inline void
wait_for(const actor &a)
{
	wait_until([&] {
		return a.tid != 0 && state_of(a.tid) == 'S' &&
		    is_in_call(a.tid, SYS_futex);
	});
}

// Actor 0 has the mutex, actor 1 waits for it, and actor 2 does neither.
inline void
play_mutex(stage &s, mutex &m)
{
	note(s, 0, -1, -1);
	pthread_mutex_lock(&m.lock);
	act(s, 1, -1, -1, [&] { pthread_mutex_lock(&m.lock); });
	act(s, 2, -1, -1, [] { pause(); });
}
