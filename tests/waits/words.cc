// Spoils the words of locks that threads wait for, and looks: a word that does
// not look as the lock's would names nobody.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <linux/futex.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "check.h"
#include "require.h"
#include "shared.h"

using boost::unit_test::description;

namespace {

// Finds the wait of actor 1.  It sleeps in futex(2).
found
look(scene &of, const std::vector<pid_t> &beside = {})
{
	const actor &a = of.get().actors[1];
	std::vector<pid_t> pids = beside;
	pids.push_back(of.pid());
	wait_for(a);
	return waits_of(pids)[a.tid];
}

} // namespace

BOOST_AUTO_TEST_SUITE(words)

// Both processes have the memory, and the owner's tid is of the other one.
BOOST_AUTO_TEST_CASE(a_private_mutex, *needs("ptrace") * description(
    "the owner of a lock that is not shared is a thread of its process"))
{
	shared_by_all<private_mutex> m;
	scene other([](stage &s) { note(s, 0, -1, -1); });
	scene of([&](stage &s) { play_mutex(s, *m.operator->()); });
	found f = look(of, {other.pid()});
	BOOST_TEST(f.kind == STACK9_WAIT_MUTEX);
	BOOST_TEST(f.holders == std::vector<pid_t>{of.get().actors[0].tid});
	*m->owner() = static_cast<std::uint32_t>(other.pid());
	f = look(of, {other.pid()});
	BOOST_TEST(f.kind == STACK9_WAIT_MUTEX);
	BOOST_TEST(f.holders.empty());
	BOOST_TEST(f.reason == "its owner is dead");
}

// The call said that the lock is its process's own.
BOOST_AUTO_TEST_CASE(a_mutex_of_another_scope, *needs("ptrace") * description(
    "The function, the arguments of futex(2) and the layout have to agree"))
{
	shared_by_all<private_mutex> m;
	scene of([&](stage &s) { play_mutex(s, *m.operator->()); });
	BOOST_TEST(look(of).kind == STACK9_WAIT_MUTEX);
	*m->kind() |= 128;
	const found f = look(of);
	BOOST_TEST(f.kind == STACK9_WAIT_FUTEX);
	BOOST_TEST(f.holders.empty());
}

BOOST_AUTO_TEST_CASE(a_rwlock_of_another_scope, *needs("ptrace") * description(
    "The function, the arguments of futex(2) and the layout have to agree"))
{
	struct lock {
		pthread_rwlock_t	l = PTHREAD_RWLOCK_INITIALIZER;
	};
	shared_by_all<lock> r;
	scene of([&](stage &s) {
		note(s, 0, -1, -1);
		pthread_rwlock_wrlock(&r->l);
		act(s, 1, -1, -1, [&] { pthread_rwlock_rdlock(&r->l); });
	});
	found f = look(of);
	BOOST_TEST(f.kind == STACK9_WAIT_RWLOCK_READ);
	BOOST_TEST(f.holders == std::vector<pid_t>{of.get().actors[0].tid});
	r->l.__data.__shared = 1;
	f = look(of);
	BOOST_TEST(f.kind == STACK9_WAIT_FUTEX);
	BOOST_TEST(f.holders.empty());
}

// The kernel notes it for one who had the lock as it ended.
BOOST_AUTO_TEST_CASE(an_owner_that_died, *needs("ptrace") * description(
    "STACK9_WAIT_PI_MUTEX: its owner is dead"))
{
	shared_by_all<inheriting_mutex> m;
	scene of([&](stage &s) { play_mutex(s, *m.operator->()); });
	found f = look(of);
	BOOST_TEST(f.kind == STACK9_WAIT_PI_MUTEX);
	BOOST_TEST(f.holders == std::vector<pid_t>{of.get().actors[0].tid});
	__atomic_or_fetch(m->word(0), 0x40000000, __ATOMIC_SEQ_CST);
	f = look(of);
	BOOST_TEST(f.kind == STACK9_WAIT_PI_MUTEX);
	BOOST_TEST(f.holders.empty());
	BOOST_TEST(f.reason == "its owner is dead");
}

// The word by which pthread_join(3) waits is in the memory of the other
// thread's stack.  That may be another thread's then.
BOOST_AUTO_TEST_CASE(a_thread_that_ends, *needs("ptrace") * description(
    "STACK9_WAIT_JOIN: the thread ends just now"))
{
	struct room {
		std::uint64_t	join;
		bool		changes;
	};
	shared_by_all<room> r;
	scene of([&](stage &s) {
		note(s, 0, -1, -1);
		pthread_t t;
		pthread_create(&t, nullptr, [](void *) -> void * {
			for (;;)
				pause();
		}, nullptr);
		act(s, 1, -1, -1, [=] { pthread_join(t, nullptr); });
		act(s, 2, -1, -1, [&] {
			wait_until([&] { return __atomic_load_n(&r->changes,
			    __ATOMIC_SEQ_CST); });
			*reinterpret_cast<pid_t *>(r->join) = gettid();
			__atomic_store_n(&r->changes, false,
			    __ATOMIC_SEQ_CST);
		});
	});
	found f = look(of);
	BOOST_TEST(f.kind == STACK9_WAIT_JOIN);
	BOOST_TEST(f.holders.size() == 1u);
	r->join = f.address;
	__atomic_store_n(&r->changes, true, __ATOMIC_SEQ_CST);
	wait_until([&] { return !__atomic_load_n(&r->changes,
	    __ATOMIC_SEQ_CST); });
	f = look(of);
	BOOST_TEST(f.kind == STACK9_WAIT_JOIN);
	BOOST_TEST(f.holders.empty());
	BOOST_TEST(f.reason == "the thread ends just now");
}

// The samples are of a wait for a condition, and the thread waits for a
// semaphore by the time of the call.
BOOST_AUTO_TEST_CASE(a_stack_of_before, *needs("ptrace") * description(
    "STACK9_WAIT_MOVED: the stacks of the sample are not of this wait"))
{
	struct room {
		mutex		m;
		pthread_cond_t	c;
		sem_t		s;
	};
	shared_by_all<room> r;
	pthread_condattr_t a;
	pthread_condattr_init(&a);
	pthread_condattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&r->c, &a);
	sem_init(&r->s, 1, 0);
	scene of([&](stage &s) {
		note(s, 0, -1, -1);
		act(s, 1, -1, -1, [&] {
			pthread_mutex_lock(&r->m.lock);
			pthread_cond_wait(&r->c, &r->m.lock);
			sem_wait(&r->s);
		});
	});
	const actor &blocked = of.get().actors[1];
	BOOST_TEST(look(of).kind == STACK9_WAIT_CONDITION);
	std::vector<stack9_sample *> samples;
	const stack9_thread td{of.pid(), of.pid(), 0};
	BOOST_REQUIRE_EQUAL(stack9_each(&td, STACK9_BOTH, nullptr,
	    lib::hold_sample, &samples), 0);
	const std::uint64_t before = switches_in_proc(blocked.tid);
	pthread_cond_broadcast(&r->c);
	wait_until([&] { return switches_in_proc(blocked.tid) > before; });
	wait_for(blocked);
	all_found all;
	BOOST_REQUIRE_EQUAL(stack9_waits(samples.data(),
	    static_cast<std::uint32_t>(samples.size()), 0, add_wait, &all), 0);
	for (stack9_sample *const s : samples)
		stack9_sample_close(s);
	const found &f = all[blocked.tid];
	BOOST_TEST(f.kind == STACK9_WAIT_FUTEX);
	BOOST_TEST((f.flags & STACK9_WAIT_MOVED) != 0u);
	BOOST_TEST(f.reason == "no user stack of this wait shows its kind");
	BOOST_TEST(look(of).kind == STACK9_WAIT_SEMAPHORE);
}

// Musl's lock, and a program's own, say by a bit that somebody waits for them.
BOOST_AUTO_TEST_CASE(a_word_that_says_nothing_of_waiters, *needs("ptrace") *
    description("The function, the arguments of futex(2) and the layout have "
    "to agree"))
{
	constexpr std::uint32_t robust = 16;
	for (const std::uint32_t waiters : {FUTEX_WAITERS, 0u}) {
		shared_by_all<mutex> m;
		scene of([&](stage &s) {
			note(s, 0, -1, -1);
			const auto tid = static_cast<std::uint32_t>(gettid());
			*m->word(0) = tid | waiters;
			*m->owner() = tid;
			*m->kind() = robust;
			act(s, 1, -1, -1, [&] {
				syscall(SYS_futex, m->word(0), FUTEX_WAIT,
				    *m->word(0), nullptr, nullptr, 0);
			});
		});
		const found f = look(of);
		BOOST_TEST(f.kind == (waiters != 0 ? STACK9_WAIT_MUTEX :
		    STACK9_WAIT_FUTEX));
		BOOST_TEST(f.holders == (waiters != 0 ? std::vector<pid_t>{
		    of.get().actors[0].tid} : std::vector<pid_t>{}));
	}
}

// Processes that have the memory are the first ones of a pid namespace each.
BOOST_AUTO_TEST_CASE(owners_of_one_tid, *needs("root") * needs("ptrace") *
    description("several threads have its owner's tid, each in a pid "
    "namespace of its own"))
{
	shared_by_all<mutex> m;
	const auto begin = [&](stage &s, int number) {
		const int before = __atomic_load_n(&s.count, __ATOMIC_SEQ_CST);
		if (fork() == 0) {
			if (unshare(CLONE_NEWPID) != 0)
				_exit(1);
			if (fork() == 0) {
				if (number == 0)
					pthread_mutex_lock(&m->lock);
				note(s, number, -1, -1);
				if (number == 0 && fork() == 0) {
					note(s, 1, -1, -1);
					pthread_mutex_lock(&m->lock);
				}
			}
			for (;;)
				pause();
		}
		wait_until([&] {
			return __atomic_load_n(&s.count, __ATOMIC_SEQ_CST) ==
			    before + (number == 0 ? 2 : 1);
		});
	};
	for (const bool twice : {false, true}) {
		scene of([&](stage &s) {
			begin(s, 0);
			if (twice)
				begin(s, 2);
		});
		BOOST_REQUIRE(*m->owner() == 1u);
		const actor *const all = of.get().actors;
		const found f = look(of, {all[1].pid});
		BOOST_TEST(f.kind == STACK9_WAIT_MUTEX);
		BOOST_TEST(f.holders == (twice ? std::vector<pid_t>{} :
		    std::vector<pid_t>{all[0].tid}));
		if (twice)
			BOOST_TEST(f.reason == "several threads have its "
			    "owner's tid, each in a pid namespace of its own");
		*m.operator->() = mutex();
	}
}

BOOST_AUTO_TEST_SUITE_END()
