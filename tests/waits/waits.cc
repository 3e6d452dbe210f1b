// Compares the waits that stack9_waits() finds with those that programs know.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <stack9_waits.h>

#include "require.h"
#include "scene.h"

namespace {

namespace data = boost::unit_test::data;

struct found {
	int			kind;
	std::uint32_t		flags;
	std::string		reason, object;
	std::uint64_t		left_ns;
	std::vector<pid_t>	holders;
};
using all_found = std::map<pid_t, found>;

int
keep(void *arg, const stack9_sample *s)
{
	static_cast<std::vector<stack9_sample *> *>(arg)->push_back(
	    stack9_sample_hold(s));
	return 0;
}

int
add(void *arg, const stack9_wait *w)
{
	found f{w->kind, w->flags, w->reason, w->object, w->left_ns, {}};
	for (std::uint32_t i = 0; i < w->holders; i++)
		f.holders.push_back(w->holder[i].thread.tid);
	static_cast<all_found *>(arg)->emplace(w->sample->thread.tid, f);
	return 0;
}

// The waits of all threads of these processes.
all_found
waits_of(const std::vector<pid_t> &pids)
{
	std::vector<stack9_sample *> samples;
	all_found all;
	for (const pid_t pid : pids) {
		const stack9_thread td{pid, pid, 0};
		BOOST_REQUIRE_EQUAL(stack9_each(&td, STACK9_USER, nullptr,
		    keep, &samples), 0);
	}
	BOOST_REQUIRE_EQUAL(stack9_waits(samples.data(),
	    static_cast<std::uint32_t>(samples.size()), 0, add, &all), 0);
	for (stack9_sample *const s : samples)
		stack9_sample_close(s);
	return all;
}

// How a thread's wait differs from what the program knows; "": it does not.
std::string
difference(const stage &s, const actor &a, const all_found &all)
{
	const auto it = all.find(a.tid);
	if (it == all.end())
		return fmt::format("{} is missing", a.tid);
	const found &f = it->second;
	std::string text;
	if (a.kind >= 0 && f.kind != a.kind)
		text = fmt::format("tid {}: {} in place of {} ({})", a.tid,
		    stack9_wait_text(f.kind), stack9_wait_text(a.kind),
		    f.reason);
	std::vector<pid_t> holders;
	if (a.holder >= 0)
		holders.push_back(a.by_process ? s.actors[a.holder].pid :
		    s.actors[a.holder].tid);
	if (f.holders != holders)
		text += fmt::format("tid {}: {} holders, first {} ({})", a.tid,
		    f.holders.size(), f.holders.empty() ? 0 : f.holders[0],
		    f.reason);
	return text;
}

// Threads fall asleep when they like; once they do, all has to be as it is
// known.  No holder may be wrong at any time.
void
check_scene(scene &of)
{
	const stage &s = of.get();
	std::vector<pid_t> pids{of.pid()};
	for (int i = 0; i < s.count; i++)
		if (s.actors[i].pid != 0 && std::find(pids.begin(),
		    pids.end(), s.actors[i].pid) == pids.end())
			pids.push_back(s.actors[i].pid);
	std::string wrong;
	for (int tries = 0; tries < 200; tries++) {
		const all_found all = waits_of(pids);
		wrong.clear();
		for (int i = 0; i < s.count; i++)
			wrong += difference(s, s.actors[i], all);
		if (wrong.empty())
			return;
		usleep(20000);
	}
	BOOST_ERROR(wrong);
}

struct locks {
	pthread_mutex_t		plain, pi, robust, checked;
	pthread_rwlock_t	written, read;
	pthread_cond_t		condition;
	pthread_barrier_t	barrier;
	sem_t			semaphore;
	pthread_once_t		once;

	explicit
	locks(bool shared = false)
	{
		const int across = shared ? PTHREAD_PROCESS_SHARED :
		    PTHREAD_PROCESS_PRIVATE;
		pthread_mutexattr_t a;
		pthread_mutexattr_init(&a);
		pthread_mutexattr_setpshared(&a, across);
		pthread_mutex_init(&plain, &a);
		pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
		pthread_mutex_init(&pi, &a);
		pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_NONE);
		pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
		pthread_mutex_init(&checked, &a);
		pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
		pthread_mutex_init(&robust, &a);
		pthread_rwlockattr_t r;
		pthread_rwlockattr_init(&r);
		pthread_rwlockattr_setpshared(&r, across);
		pthread_rwlock_init(&written, &r);
		pthread_rwlock_init(&read, &r);
		pthread_cond_init(&condition, nullptr);
		pthread_barrier_init(&barrier, nullptr, 2);
		sem_init(&semaphore, shared, 0);
		once = PTHREAD_ONCE_INIT;
	}

	void
	take_all()
	{
		pthread_mutex_lock(&plain);
		pthread_mutex_lock(&pi);
		pthread_mutex_lock(&checked);
		pthread_mutex_lock(&robust);
		pthread_rwlock_wrlock(&written);
		pthread_rwlock_rdlock(&read);
	}
};

void
play_locks(stage &s)
{
	static locks l;
	static pthread_t first;
	static stage *here;
	here = &s;
	static timespec late{4'000'000'000, 0};
	act(s, 0, STACK9_WAIT_SIGNAL, -1, [] {
		l.take_all();
		pause();
	});
	while (pthread_mutex_trylock(&l.plain) == 0) {
		pthread_mutex_unlock(&l.plain);
		usleep(100);
	}
	usleep(50000);		// the first actor takes the rest
	act(s, 1, STACK9_WAIT_MUTEX, 0,
	    [] { pthread_mutex_lock(&l.plain); });
	act(s, 2, STACK9_WAIT_PI_MUTEX, 0,
	    [] { pthread_mutex_lock(&l.pi); });
	act(s, 3, STACK9_WAIT_MUTEX, 0,
	    [] { pthread_mutex_lock(&l.robust); });
	act(s, 4, STACK9_WAIT_MUTEX, 0,
	    [] { pthread_mutex_timedlock(&l.plain, &late); });
	act(s, 5, STACK9_WAIT_RWLOCK_READ, 0,
	    [] { pthread_rwlock_rdlock(&l.written); });
	act(s, 6, STACK9_WAIT_RWLOCK_WRITE, 0,
	    [] { pthread_rwlock_wrlock(&l.written); });
	act(s, 7, STACK9_WAIT_RWLOCK_WRITE, -1,
	    [] { pthread_rwlock_wrlock(&l.read); });
	pthread_create(&first, nullptr, [](void *) -> void * {
		note(*here, 15, STACK9_WAIT_SIGNAL, -1);
		for (;;)
			pause();
	}, nullptr);
	act(s, 8, STACK9_WAIT_JOIN, 15,
	    [] { pthread_join(first, nullptr); });
	act(s, 9, STACK9_WAIT_CONDITION, -1, [] {
		pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
		pthread_mutex_lock(&m);
		pthread_cond_wait(&l.condition, &m);
	});
	act(s, 10, STACK9_WAIT_SEMAPHORE, -1,
	    [] { sem_wait(&l.semaphore); });
	act(s, 11, STACK9_WAIT_BARRIER, -1,
	    [] { pthread_barrier_wait(&l.barrier); });
	act(s, 12, STACK9_WAIT_SIGNAL, -1,
	    [] { pthread_once(&l.once, [] { pause(); }); });
	usleep(50000);
	act(s, 13, STACK9_WAIT_ONCE, -1,
	    [] { pthread_once(&l.once, [] { }); });
	act(s, 14, STACK9_WAIT_MUTEX, 0,
	    [] { pthread_mutex_lock(&l.checked); });
}

BOOST_AUTO_TEST_CASE(each_lock_of_the_c_library, *needs("bpf"))
{
	scene of(play_locks);
	check_scene(of);
}

BOOST_AUTO_TEST_CASE(each_lock_by_proc, *needs("ptrace"))
{
	BOOST_REQUIRE_EQUAL(stack9_force("procfs"), 0);
	scene of([](stage &s) {
		static locks l;
		act(s, 0, -1, -1, [] {
			l.take_all();
			pause();
		});
		usleep(100000);
		act(s, 1, STACK9_WAIT_MUTEX, 0,
		    [] { pthread_mutex_lock(&l.plain); });
		act(s, 2, STACK9_WAIT_PI_MUTEX, 0,
		    [] { pthread_mutex_lock(&l.pi); });
		act(s, 3, STACK9_WAIT_RWLOCK_READ, 0,
		    [] { pthread_rwlock_rdlock(&l.written); });
	});
	check_scene(of);
	stack9_force(nullptr);
}

// A process that locks, and another one that waits.
BOOST_AUTO_TEST_CASE(locks_that_processes_share, *needs("bpf"))
{
	scene of([](stage &s) {
		static locks *const l = new (mmap(nullptr, sizeof(locks),
		    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		    0)) locks(true);
		note(s, 0, STACK9_WAIT_SIGNAL, -1);
		l->take_all();
		if (fork() == 0) {
			act(s, 1, STACK9_WAIT_MUTEX, 0,
			    [] { pthread_mutex_lock(&l->plain); });
			act(s, 2, STACK9_WAIT_PI_MUTEX, 0,
			    [] { pthread_mutex_lock(&l->pi); });
			act(s, 3, STACK9_WAIT_MUTEX, 0,
			    [] { pthread_mutex_lock(&l->robust); });
			act(s, 4, STACK9_WAIT_RWLOCK_READ, 0,
			    [] { pthread_rwlock_rdlock(&l->written); });
			act(s, 5, STACK9_WAIT_SEMAPHORE, -1,
			    [] { sem_wait(&l->semaphore); });
			for (;;)
				pause();
		}
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 6)
			usleep(100);
	});
	check_scene(of);
}

// The owner of a plain mutex has ended: nobody is named.
BOOST_AUTO_TEST_CASE(a_dead_owner_is_none, *needs("bpf"))
{
	scene of([](stage &s) {
		static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
		pthread_t t;
		pthread_create(&t, nullptr, [](void *) -> void * {
			pthread_mutex_lock(&m);
			return nullptr;
		}, nullptr);
		pthread_join(t, nullptr);
		act(s, 0, STACK9_WAIT_MUTEX, -1,
		    [] { pthread_mutex_lock(&m); });
	});
	check_scene(of);
}

pthread_mutex_t ring[most_actors];

// Each thread has one mutex and waits for the next one's.
void
play_ring(stage &s, int count, bool closed)
{
	static int members, last;
	static pthread_barrier_t all_locked;
	members = count;
	last = closed ? -1 : count - 1;
	pthread_barrier_init(&all_locked, nullptr,
	    static_cast<unsigned int>(count));
	for (int i = 0; i < count; i++)
		pthread_mutex_init(&ring[i], nullptr);
	for (int i = 0; i < count; i++)
		act(s, i, i == last ? STACK9_WAIT_SIGNAL : STACK9_WAIT_MUTEX,
		    i == last ? -1 : (i + 1) % count, [i] {
			pthread_mutex_lock(&ring[i]);
			pthread_barrier_wait(&all_locked);
			if (i == last)
				pause();
			pthread_mutex_lock(&ring[(i + 1) % members]);
		});
}

BOOST_DATA_TEST_CASE(chains, data::make({2, 3, 20}), depth)
{
	scene of([depth = depth](stage &s) { play_ring(s, depth, false); });
	check_scene(of);
}

BOOST_DATA_TEST_CASE(cycles, data::make({2, 3, 7, 20, 50}), length)
{
	scene of([length = length](stage &s) { play_ring(s, length, true); });
	check_scene(of);
	for (const auto &[tid, f] : waits_of({of.pid()}))
		if (f.kind == STACK9_WAIT_MUTEX)
			BOOST_TEST((f.flags & STACK9_WAIT_ALL_HOLDERS) != 0);
}

BOOST_AUTO_TEST_CASE(waits_in_system_calls, *needs("bpf"))
{
	scene of([](stage &s) {
		static int fds[2], empty, ep;
		static char file[] = "/tmp/stack9-waits-XXXXXX";
		empty = mkstemp(file);
		flock(empty, LOCK_EX);
		if (pipe(fds) != 0 || (ep = epoll_create1(0)) < 0)
			return;
		note(s, 0, STACK9_WAIT_SIGNAL, -1);
		act(s, 1, STACK9_WAIT_PIPE, 0, [] {
			char c;
			while (read(fds[0], &c, 1) < 0)
				;
		}, true);
		act(s, 2, STACK9_WAIT_SLEEP, -1, [] { sleep(1000); });
		act(s, 3, STACK9_WAIT_POLL, -1, [] {
			pollfd p{fds[0], POLLIN, 0};
			poll(&p, 1, -1);
		});
		act(s, 4, STACK9_WAIT_EPOLL, -1, [] {
			epoll_event e;
			epoll_wait(ep, &e, 1, -1);
		});
		act(s, 5, STACK9_WAIT_FLOCK, 0, [] {
			flock(open(file, O_RDWR), LOCK_EX);
		}, true);
		act(s, 6, STACK9_WAIT_SOCKET, -1, [] {
			int pair[2];
			char c;
			socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
			while (recv(pair[0], &c, 1, 0) < 0)
				;
		});
		usleep(50000);
		unlink(file);
	});
	check_scene(of);
	for (const auto &[tid, f] : waits_of({of.pid()})) {
		if (f.kind == STACK9_WAIT_SLEEP) {
			BOOST_TEST((f.left_ns == 0 ||
			    f.left_ns > 980'000'000'000u));
			BOOST_TEST(f.left_ns <= 1'000'000'000'000u);
		}
		if (f.kind == STACK9_WAIT_POLL || f.kind == STACK9_WAIT_PIPE)
			BOOST_TEST(f.object.find("pipe:[") != f.object.npos);
	}
}

BOOST_AUTO_TEST_CASE(children_and_tracers, *needs("bpf"))
{
	scene of([](stage &s) {
		static pid_t stopped;
		const pid_t child = fork();
		if (child == 0) {
			note(s, 1, STACK9_WAIT_SIGNAL, -1);
			for (;;)
				pause();
		}
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 1)
			usleep(100);
		note(s, 2, -1, -1);
		s.actors[0] = s.actors[2];
		act(s, 2, STACK9_WAIT_CHILD, 1, [child] {
			waitpid(child, nullptr, 0);
		});
		act(s, 3, STACK9_WAIT_SIGNAL, -1, [] {
			stopped = fork();
			if (stopped == 0) {
				ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
				raise(SIGSTOP);
			}
			pause();
		});
		while (__atomic_load_n(&stopped, __ATOMIC_SEQ_CST) == 0)
			usleep(100);
		s.actors[4] = {stopped, stopped, STACK9_WAIT_TRACER, 3, false};
		s.count = 5;
	});
	check_scene(of);
}

BOOST_AUTO_TEST_CASE(arguments)
{
	all_found all;
	BOOST_TEST(stack9_waits(nullptr, 0, 0, add, &all) == 0);
	BOOST_TEST(stack9_waits(nullptr, 1, 0, add, &all) == EINVAL);
	BOOST_TEST(stack9_waits(nullptr, 0, 1, add, &all) == EINVAL);
	BOOST_TEST(stack9_waits(nullptr, 0, 0, nullptr, &all) == EINVAL);
	BOOST_TEST(stack9_wait_text(STACK9_WAIT_MUTEX) == "mutex");
	BOOST_TEST(stack9_wait_text(-1) == "unknown");
	BOOST_TEST(stack9_wait_text(1000) == "unknown");
}

// Threads that lock and unlock at random.  Who has a mutex is noted while it is
// locked, in the mutex's own order, so that a holder that never had it in the
// meantime is found out.
struct shared_lock {
	pthread_mutex_t	mutex;
	unsigned int	turn;			// lockings so far
	pid_t		owners[1 << 16];
};
constexpr int locks_of_soak = 6, threads_of_soak = 8;

struct soak {
	shared_lock	locks[locks_of_soak];
};

unsigned int
turn_of(const shared_lock &l)
{
	return __atomic_load_n(&l.turn, __ATOMIC_SEQ_CST);
}

struct edge {
	std::uint64_t	address;
	pid_t		holder;
};

int
add_edge(void *arg, const stack9_wait *w)
{
	for (std::uint32_t i = 0; i < w->holders; i++)
		if (w->kind == STACK9_WAIT_MUTEX)
			static_cast<std::vector<edge> *>(arg)->push_back(
			    {w->address, w->holder[i].thread.tid});
	return 0;
}

BOOST_AUTO_TEST_CASE(no_owner_is_false, *needs("bpf"))
{
	static soak *const all = static_cast<soak *>(mmap(nullptr,
	    sizeof(soak), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
	    -1, 0));
	scene of([](stage &s) {
		for (shared_lock &l : all->locks)
			pthread_mutex_init(&l.mutex, nullptr);
		for (int i = 0; i < threads_of_soak; i++)
			act(s, i, -1, -1, [i] {
				unsigned int seed = static_cast<unsigned>(i);
				for (;;) {
					shared_lock &l = all->locks[rand_r(
					    &seed) % locks_of_soak];
					pthread_mutex_lock(&l.mutex);
					l.owners[(l.turn + 1) & 0xffff] =
					    gettid();
					__atomic_add_fetch(&l.turn, 1,
					    __ATOMIC_SEQ_CST);
					usleep(static_cast<useconds_t>(rand_r(
					    &seed) % 2000));
					pthread_mutex_unlock(&l.mutex);
				}
			});
	});
	const std::time_t end = std::time(nullptr) + (long_run() ? 600 : 5);
	std::size_t told = 0, wrong = 0;
	while (std::time(nullptr) < end) {
		std::vector<stack9_sample *> samples;
		std::vector<edge> edges;
		unsigned int before[locks_of_soak], after[locks_of_soak];
		const stack9_thread td{of.pid(), of.pid(), 0};
		stack9_each(&td, STACK9_USER, nullptr, keep, &samples);
		for (int i = 0; i < locks_of_soak; i++)
			before[i] = turn_of(all->locks[i]);
		stack9_waits(samples.data(),
		    static_cast<std::uint32_t>(samples.size()), 0, add_edge,
		    &edges);
		for (int i = 0; i < locks_of_soak; i++)
			after[i] = turn_of(all->locks[i]);
		for (const edge &e : edges)
			for (int i = 0; i < locks_of_soak; i++) {
				const shared_lock &l = all->locks[i];
				if (e.address != reinterpret_cast<
				    std::uintptr_t>(&l.mutex))
					continue;
				// The next owner has the mutex before it
				// notes that.
				for (int n = 0; n < 1000 &&
				    turn_of(l) == after[i]; n++)
					usleep(50);
				bool had = false;
				for (unsigned int t = before[i];
				    t != after[i] + 2; t++)
					had |= l.owners[t & 0xffff] == e.holder;
				told++;
				wrong += !had;
			}
		for (stack9_sample *const s : samples)
			stack9_sample_close(s);
	}
	BOOST_TEST_MESSAGE(fmt::format("{} owners told", told));
	BOOST_TEST(told > 100u);
	BOOST_TEST(wrong == 0u);
}

} // namespace
