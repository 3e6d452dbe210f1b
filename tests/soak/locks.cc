// Takes and releases the locks of random programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "locks.h"

#include <cstdio>
#include <ctime>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

namespace soak {
namespace {

void
make_mutex(object &o, int across)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, across);
	if (o.kind == thing::robust)
		pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	if (o.kind == thing::inherits)
		pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&o.mutex, &a);
}

void
make_others(object &o, int across)
{
	pthread_rwlockattr_t r;
	pthread_rwlockattr_init(&r);
	pthread_rwlockattr_setpshared(&r, across);
	pthread_rwlock_init(&o.rw, &r);
	pthread_condattr_t c;
	pthread_condattr_init(&c);
	pthread_condattr_setpshared(&c, across);
	pthread_cond_init(&o.condition, &c);
	pthread_barrierattr_t b;
	pthread_barrierattr_init(&b);
	pthread_barrierattr_setpshared(&b, across);
	pthread_barrier_init(&o.barrier, &b, 2);
	sem_init(&o.semaphore, across == PTHREAD_PROCESS_SHARED, 0);
}

const void *
place_of(const object &o)
{
	switch (o.kind) {
	case thing::mutex:
	case thing::robust:
	case thing::inherits:
		return &o.mutex;
	case thing::rw:
		return &o.rw;
	case thing::condition:
		return &o.condition;
	case thing::semaphore:
		return &o.semaphore;
	case thing::barrier:
		return &o.barrier;
	case thing::word:
		return &o.word;
	default:
		return nullptr;
	}
}

timespec
after(std::uint64_t ns)
{
	timespec t{};
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += static_cast<time_t>(ns / 1'000'000'000);
	t.tv_nsec += static_cast<long>(ns % 1'000'000'000);
	if (t.tv_nsec >= 1'000'000'000) {
		t.tv_nsec -= 1'000'000'000;
		t.tv_sec++;
	}
	return t;
}

bool
take_now(object &o, int fd, manner how)
{
	const timespec until = after(how.most_ns);
	const bool timed = how.most_ns != 0;
	struct flock all{};
	all.l_type = F_WRLCK;
	switch (o.kind) {
	case thing::flocked:
		return flock(fd, LOCK_EX) == 0;
	case thing::described:
		return fcntl(fd, F_OFD_SETLKW, &all) == 0;
	case thing::posix:
		return fcntl(fd, F_SETLKW, &all) == 0;
	case thing::rw:
		return (how.reads ? timed ?
		    pthread_rwlock_timedrdlock(&o.rw, &until) :
		    pthread_rwlock_rdlock(&o.rw) : timed ?
		    pthread_rwlock_timedwrlock(&o.rw, &until) :
		    pthread_rwlock_wrlock(&o.rw)) == 0;
	default:
		return (timed ? pthread_mutex_timedlock(&o.mutex, &until) :
		    pthread_mutex_lock(&o.mutex)) == 0;
	}
}

} // namespace

void
make(object &o, int number, const char *directory)
{
	const int across = o.process < 0 ? PTHREAD_PROCESS_SHARED :
	    PTHREAD_PROCESS_PRIVATE;
	make_mutex(o, across);
	make_others(o, across);
	o.address.store(reinterpret_cast<std::uintptr_t>(place_of(o)));
	if (is_file(o.kind)) {
		std::snprintf(o.path, sizeof o.path, "%s/%d", directory,
		    number);
		close(open(o.path, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
	}
	if (o.kind == thing::piped && pipe2(o.ends, O_CLOEXEC) != 0)
		_exit(1);
	if (o.kind == thing::paired && socketpair(AF_UNIX, SOCK_STREAM |
	    SOCK_CLOEXEC, 0, o.ends) != 0)
		_exit(1);
}

bool
take(ledger &l, int number, int who, int fd, manner how, turn *&t)
{
	object &o = l.objects[number];
	t = nullptr;
	const noted_wait w(l.actors[who], o.kind, number, how.reads);
	if (!take_now(o, fd, how))
		return false;
	if (!how.reads)
		t = &note_taken(l, number, who);
	return true;
}

void
release(ledger &l, int number, int fd, turn *t)
{
	object &o = l.objects[number];
	struct flock all{};
	all.l_type = F_UNLCK;
	if (t != nullptr)
		t->release = now_ns();
	switch (o.kind) {
	case thing::flocked:
		flock(fd, LOCK_UN);
		break;
	case thing::described:
		fcntl(fd, F_OFD_SETLK, &all);
		break;
	case thing::posix:
		fcntl(fd, F_SETLK, &all);
		break;
	case thing::rw:
		pthread_rwlock_unlock(&o.rw);
		break;
	default:
		pthread_mutex_unlock(&o.mutex);
	}
	if (t != nullptr)
		t->released = now_ns();
}

int
open_file(const object &o)
{
	return is_file(o.kind) ? open(o.path, O_RDWR | O_CLOEXEC) : -1;
}

} // namespace soak
