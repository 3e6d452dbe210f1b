// Looks for false owners of the locks of random programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <ctime>
#include <vector>

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "check.h"
#include "require.h"

namespace {

constexpr unsigned int lock_count = 5, threads_of_each = 6;

// The holder of a lock is noted while it is locked, in the lock's own order, so
// that a holder that never had it in the meantime is found out.
struct shared_lock {
	pthread_mutex_t		mutex;		// plain, robust, or PI
	pthread_rwlock_t	rw;
	unsigned int		turn;		// lockings so far
	struct {
		pid_t	pid, tid;
	}			owners[1 << 16];
};

enum lock_class { plain, robust, inherits, rw, file, classes };

struct soak {
	shared_lock	locks[lock_count];
};
soak *ground;
char directory[] = "/tmp/stack9-soak-XXXXXX";

std::string
file_of(unsigned int number)
{
	return fmt::format("{}/{}", directory, number);
}

void
init(shared_lock &l, unsigned int number)
{
	pthread_mutexattr_t a;
	pthread_rwlockattr_t r;
	pthread_mutexattr_init(&a);
	pthread_rwlockattr_init(&r);
	pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED);
	if (number % classes == robust)
		pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	if (number % classes == inherits)
		pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&l.mutex, &a);
	pthread_rwlock_init(&l.rw, &r);
}

// Readers are not recorded by the lock, nor here.
bool
lock(shared_lock &l, unsigned int number, int fd, unsigned int how)
{
	timespec soon{};
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_nsec += 500'000;
	if (soon.tv_nsec >= 1'000'000'000) {
		soon.tv_nsec -= 1'000'000'000;
		soon.tv_sec++;
	}
	const bool timed = how % 4 == 0;
	bool noted = true;
	switch (number % classes) {
	case file:
		if (flock(fd, LOCK_EX) != 0)
			return false;
		break;
	case rw:
		noted = how % 3 != 0;
		if ((noted ? timed ? pthread_rwlock_timedwrlock(&l.rw, &soon) :
		    pthread_rwlock_wrlock(&l.rw) : timed ?
		    pthread_rwlock_timedrdlock(&l.rw, &soon) :
		    pthread_rwlock_rdlock(&l.rw)) != 0)
			return false;
		break;
	default:
		if ((timed ? pthread_mutex_timedlock(&l.mutex, &soon) :
		    pthread_mutex_lock(&l.mutex)) != 0)
			return false;
	}
	if (noted) {
		l.owners[(l.turn + 1) & 0xffff] = {getpid(), gettid()};
		__atomic_add_fetch(&l.turn, 1, __ATOMIC_SEQ_CST);
	}
	return true;
}

void
unlock(shared_lock &l, unsigned int number, int fd)
{
	if (number % classes == file)
		flock(fd, LOCK_UN);
	else if (number % classes == rw)
		pthread_rwlock_unlock(&l.rw);
	else
		pthread_mutex_unlock(&l.mutex);
}

// Takes up to three locks in their order.  That never locks itself up.
[[noreturn]] void
run(unsigned int seed)
{
	int fds[lock_count];
	for (unsigned int i = 0; i < lock_count; i++)
		fds[i] = open(file_of(i).c_str(), O_RDWR | O_CREAT | O_CLOEXEC,
		    0600);
	const auto random = [&](unsigned int below) {
		return static_cast<unsigned int>(rand_r(&seed)) % below;
	};
	for (;;) {
		const std::size_t most = 1 + random(3);
		std::vector<unsigned int> held;
		for (unsigned int i = random(lock_count); i < lock_count &&
		    held.size() < most; i += 1 + random(2)) {
			if (!lock(ground->locks[i], i, fds[i], random(12)))
				break;
			held.push_back(i);
			usleep(random(random(4) == 0 ? 40000 : 800));
		}
		for (; !held.empty(); held.pop_back())
			unlock(ground->locks[held.back()], held.back(),
			    fds[held.back()]);
	}
}

struct edge {
	unsigned int	lock;
	pid_t		tid;
	bool		process;
};

unsigned int
number_of(const stack9_wait &w)
{
	const std::string name = w.object;
	for (unsigned int i = 0; i < lock_count; i++) {
		const shared_lock &l = ground->locks[i];
		if (w.address == reinterpret_cast<std::uintptr_t>(&l.mutex) ||
		    w.address == reinterpret_cast<std::uintptr_t>(&l.rw) ||
		    name == file_of(i))
			return i;
	}
	return lock_count;
}

int
add_edges(void *arg, const stack9_wait *w)
{
	for (std::uint32_t i = 0; i < w->holders; i++)
		static_cast<std::vector<edge> *>(arg)->push_back({number_of(
		    *w), w->holder[i].thread.tid,
		    (w->holder[i].flags & STACK9_HOLDER_PROCESS) != 0});
	return 0;
}

unsigned int
turn_of(unsigned int number)
{
	return __atomic_load_n(&ground->locks[number].turn, __ATOMIC_SEQ_CST);
}

bool
is_noted(const edge &e, unsigned int first, unsigned int end)
{
	const shared_lock &l = ground->locks[e.lock];
	for (unsigned int t = first; t != end; t++) {
		const auto &o = l.owners[t & 0xffff];
		if ((e.process ? o.pid : o.tid) == e.tid)
			return true;
	}
	return false;
}

// The next owner has the lock before it notes that, so it is waited for: no
// other thread can note anything meanwhile, and on a busy machine it may be off
// its CPU for long.  Most owners are noted, and an emulated machine has no time
// for more waits.
bool
had_it(const edge &e, unsigned int before, unsigned int after)
{
	if (is_noted(e, before, after + 1))
		return true;
	constexpr int most = 100'000;	// 5 s at least
	for (int n = 0; n < most && turn_of(e.lock) == after; n++)
		usleep(50);
	if (is_noted(e, after, after + 2))
		return true;
	BOOST_TEST_MESSAGE(fmt::format("lock {}: {} is told; turns {} to {}, "
	    "now {}", e.lock, e.tid, before, after, turn_of(e.lock)));
	return false;
}

int
seconds()
{
	const char *const wanted = std::getenv("STACK9_SOAK_SECONDS");
	return wanted != nullptr ? std::atoi(wanted) : long_run() ? 600 : 3;
}

BOOST_AUTO_TEST_CASE(no_owner_is_false, *needs("bpf"))
{
	ground = static_cast<soak *>(mmap(nullptr, sizeof(soak),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	BOOST_REQUIRE(mkdtemp(directory) != nullptr);
	scene of([](stage &s) {
		for (unsigned int i = 0; i < lock_count; i++)
			init(ground->locks[i], i);
		const int begin = fork() == 0 ? threads_of_each : 0;
		for (int i = begin; i < begin + static_cast<int>(
		    threads_of_each); i++)
			act(s, i, -1, -1, [i] {
				run(static_cast<unsigned int>(i));
			});
		while (begin != 0)
			pause();
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) <
		    static_cast<int>(2 * threads_of_each))
			usleep(100);
	});
	const std::vector<pid_t> pids = processes_of(of);
	const std::time_t end = std::time(nullptr) + seconds();
	std::size_t told[classes]{}, wrong = 0;
	// A busy machine may make few passes in that time, so some more follow.
	const auto few = [&] { return told[plain] + told[robust] <= 20u; };
	for (int more = 1000; std::time(nullptr) < end ||
	    (few() && more-- > 0);) {
		std::vector<stack9_sample *> samples;
		std::vector<edge> edges;
		unsigned int before[lock_count], after[lock_count];
		for (const pid_t pid : pids) {
			const stack9_thread td{pid, pid, 0};
			stack9_each(&td, STACK9_USER, nullptr, lib::hold_sample,
			    &samples);
		}
		for (unsigned int i = 0; i < lock_count; i++)
			before[i] = turn_of(i);
		stack9_waits(samples.data(),
		    static_cast<std::uint32_t>(samples.size()), 0, add_edges,
		    &edges);
		for (unsigned int i = 0; i < lock_count; i++)
			after[i] = turn_of(i);
		for (const edge &e : edges) {
			BOOST_REQUIRE(e.lock < lock_count);
			told[e.lock % classes]++;
			wrong += !had_it(e, before[e.lock], after[e.lock]);
		}
		for (stack9_sample *const s : samples)
			stack9_sample_close(s);
	}
	for (unsigned int i = 0; i < lock_count; i++)
		unlink(file_of(i).c_str());
	rmdir(directory);
	BOOST_TEST_MESSAGE(fmt::format("owners told: {} of mutexes, {} of "
	    "robust ones, {} of those that inherit priority, {} of read-write "
	    "locks, {} of files; {} were false", told[plain], told[robust],
	    told[inherits], told[rw], told[file], wrong));
	BOOST_TEST(told[plain] + told[robust] > 20u);
	BOOST_TEST(wrong == 0u);
}

} // namespace
