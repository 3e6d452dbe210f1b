// Changes a scene between the first reading of its threads and the second, and
// asks once: nothing that was not the same at both may be reported.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <functional>
#include <utility>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "check.h"
#include "core/seam/second_reading.h"
#include "require.h"
#include "shared.h"

using boost::unit_test::description;

namespace {

// Does something once, before memory at an address is read again; before the
// threads are looked at again if the address is 0.
class meanwhile {
public:
	meanwhile(const void *at, std::function<void()> f)
	{
		at_ = reinterpret_cast<std::uint64_t>(at);
		f_ = std::move(f);
		done_ = 0;
		stack9::before_second_reading = [](pid_t, std::uint64_t read) {
			if (read == at_ && done_++ == 0)
				f_();
		};
	}
	~meanwhile() { stack9::before_second_reading = nullptr; }
	meanwhile(const meanwhile &) = delete;
	meanwhile &operator=(const meanwhile &) = delete;

	int	done() const { return done_; }

private:
	static inline std::uint64_t		at_;
	static inline std::function<void()>	f_;
	static inline int			done_;
};

void
do_nothing(int)
{
}

} // namespace

BOOST_AUTO_TEST_SUITE(moments)

BOOST_AUTO_TEST_CASE(nothing_has_changed, *needs("ptrace") * description(
    "holders: the threads that can end the wait"))
{
	shared_by_all<mutex> m;
	scene of([&](stage &s) { play_mutex(s, *m.operator->()); });
	wait_for(of.get().actors[1]);
	const meanwhile unseen(m->owner(), [] {});
	const found f = waits_of({of.pid()})[of.get().actors[1].tid];
	BOOST_TEST(unseen.done() == 1);
	BOOST_TEST(f.kind == STACK9_WAIT_MUTEX);
	BOOST_TEST(f.holders == std::vector<pid_t>{of.get().actors[0].tid});
	BOOST_TEST((f.flags & (STACK9_WAIT_CHANGING | STACK9_WAIT_MOVED)) ==
	    0u);
}

BOOST_AUTO_TEST_CASE(another_has_the_lock, *needs("ptrace") * description(
    "STACK9_WAIT_CHANGING: its holder changed while it was looked for"))
{
	shared_by_all<mutex> m;
	scene of([&](stage &s) { play_mutex(s, *m.operator->()); });
	wait_for(of.get().actors[1]);
	const meanwhile taken(m->owner(), [&] {
		*m->owner() = static_cast<std::uint32_t>(
		    of.get().actors[2].tid);
	});
	const found f = waits_of({of.pid()})[of.get().actors[1].tid];
	BOOST_TEST(taken.done() == 1);
	BOOST_TEST(f.holders.empty());
	BOOST_TEST((f.flags & STACK9_WAIT_CHANGING) != 0u);
	BOOST_TEST((f.flags & STACK9_WAIT_ALL_HOLDERS) == 0u);
	BOOST_TEST(f.reason == "its holder has changed while this was found "
	    "out");
}

// As an unlock or a lock leaves them until it goes on.
BOOST_AUTO_TEST_CASE(some_words_of_the_lock_have_no_owner, *needs("bpf"))
{
	shared_by_all<mutex> m;
	scene of([&](stage &s) { play_mutex(s, *m.operator->()); });
	wait_for(of.get().actors[1]);
	constexpr int state = 0, owner = 2, users = 3;
	BOOST_TEST(waits_of({of.pid()})[of.get().actors[1].tid].holders
	    .size() == 1u);
	const std::vector<int> lacking[] = {{state}, {owner}, {users},
	    {state, owner, users}};
	for (const auto &each : lacking) {
		const mutex was = *m.operator->();
		for (const int n : each)
			*m->word(n) = 0;
		const found f = waits_of({of.pid()})[of.get().actors[1].tid];
		*m.operator->() = was;
		BOOST_TEST_CONTEXT("word " << each[0]) {
			BOOST_TEST(f.kind == STACK9_WAIT_MUTEX);
			BOOST_TEST(f.holders.empty());
			BOOST_TEST((f.flags & STACK9_WAIT_CHANGING) != 0u);
			BOOST_TEST(f.reason.find("it is being handed over") !=
			    f.reason.npos, f.reason);
		}
	}
}

// The owner's tid stays in a lock whose owner was killed.
BOOST_AUTO_TEST_CASE(its_holder_has_ended, *needs("ptrace") * description(
    "STACK9_WAIT_CHANGING: its holder ended while it was looked for"))
{
	shared_by_all<mutex> m;
	scene holder([&](stage &s) {
		note(s, 0, -1, -1);
		pthread_mutex_lock(&m->lock);
	});
	scene blocked([&](stage &s) {
		note(s, 0, STACK9_WAIT_MUTEX, -1);
		act(s, 1, -1, -1, [&] { pthread_mutex_lock(&m->lock); });
	});
	const actor &a = blocked.get().actors[1];
	wait_for(a);
	const meanwhile killed(nullptr, [&] {
		siginfo_t dead;
		kill(holder.pid(), SIGKILL);
		waitid(P_PID, static_cast<id_t>(holder.pid()), &dead, WEXITED |
		    WNOWAIT);
	});
	const found f = waits_of({blocked.pid(), holder.pid()})[a.tid];
	BOOST_TEST(killed.done() == 1);
	BOOST_TEST(f.holders.empty());
	BOOST_TEST(f.reason == "its holder has ended while this was found out");
}

// A handler runs, and the thread waits in the same call again.
BOOST_AUTO_TEST_CASE(it_has_slept_anew, *needs("ptrace") * description(
    "STACK9_WAIT_MOVED: the thread ran while its wait was looked for"))
{
	shared_by_all<mutex> m;
	scene of([&](stage &s) {
		signal(SIGUSR1, do_nothing);
		play_mutex(s, *m.operator->());
	});
	const actor &a = of.get().actors[1];
	wait_for(a);
	const meanwhile woken(nullptr, [&] {
		const auto before = switches_in_proc(a.tid);
		syscall(SYS_tgkill, of.pid(), a.tid, SIGUSR1);
		wait_until([&] { return switches_in_proc(a.tid) > before; });
		wait_for(a);
	});
	const found f = waits_of({of.pid()})[a.tid];
	BOOST_TEST(woken.done() == 1);
	BOOST_TEST(f.holders.empty());
	BOOST_TEST((f.flags & STACK9_WAIT_MOVED) != 0u);
}

// The lock is still its own.
BOOST_AUTO_TEST_CASE(its_holder_has_run, *needs("ptrace") * description(
    "STACK9_WAIT_MOVED: the thread ran while a wait for it was looked for"))
{
	shared_by_all<mutex> m;
	scene of([&](stage &s) {
		signal(SIGUSR1, do_nothing);
		play_mutex(s, *m.operator->());
	});
	const actor &a = of.get().actors[0], &b = of.get().actors[1];
	wait_for(b);
	const meanwhile woken(nullptr, [&] {
		const auto before = switches_in_proc(a.tid);
		syscall(SYS_tgkill, of.pid(), a.tid, SIGUSR1);
		wait_until([&] { return switches_in_proc(a.tid) > before; });
	});
	all_found all = waits_of({of.pid()});
	BOOST_TEST(woken.done() == 1);
	BOOST_TEST((all[a.tid].flags & STACK9_WAIT_MOVED) != 0u);
	BOOST_TEST((all[b.tid].flags & STACK9_WAIT_MOVED) == 0u);
	BOOST_TEST(all[b.tid].holders == std::vector<pid_t>{a.tid});
}

// While the last reader gives the lock to a writer, the counts of readers are
// of some that wait.
BOOST_AUTO_TEST_CASE(a_lock_in_its_write_phase, *needs("ptrace") * description(
    "STACK9_WAIT_BY_READERS: readers hold the lock"))
{
	struct lock {
		pthread_rwlock_t	l = PTHREAD_RWLOCK_INITIALIZER;
	};
	shared_by_all<lock> r;
	scene of([&](stage &s) {
		note(s, 0, -1, -1);
		pthread_rwlock_rdlock(&r->l);
		act(s, 1, -1, -1, [&] { pthread_rwlock_wrlock(&r->l); });
	});
	const actor &a = of.get().actors[1];
	wait_for(a);
	found f = waits_of({of.pid()})[a.tid];
	BOOST_TEST(f.kind == STACK9_WAIT_RWLOCK_WRITE);
	BOOST_TEST((f.flags & STACK9_WAIT_BY_READERS) != 0u);
	auto *const readers = reinterpret_cast<std::uint32_t *>(&r->l);
	__atomic_or_fetch(readers, 1u, __ATOMIC_SEQ_CST);	// write phase
	f = waits_of({of.pid()})[a.tid];
	BOOST_TEST(f.kind == STACK9_WAIT_RWLOCK_WRITE);
	BOOST_TEST((f.flags & STACK9_WAIT_BY_READERS) == 0u);
	BOOST_TEST(f.holders.empty());
	BOOST_TEST((f.flags & STACK9_WAIT_CHANGING) != 0u);
}

// The owner's tid is that of a thread of another process that has mapped
// another page of the file that the lock lies in.
BOOST_AUTO_TEST_CASE(a_page_of_the_file_is_not_its_lock, *needs("ptrace") *
    description("the owner of a shared lock is a thread that has it mapped"))
{
	const auto page = static_cast<std::size_t>(getpagesize());
	char name[] = "/tmp/stack9-lock-XXXXXX";
	const int file = mkstemp(name);
	BOOST_REQUIRE(file >= 0);
	unlink(name);
	BOOST_REQUIRE_EQUAL(ftruncate(file, static_cast<off_t>(2 * page)), 0);
	const auto map = [&](std::size_t pages) {
		return mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED,
		    file, static_cast<off_t>(pages * page));
	};
	for (const auto &[mapped, locked] : {std::pair{0u, 0u}, {1u, 0u},
	    {0u, 1u}}) {
		scene other([&, at = mapped](stage &s) {
			note(s, 0, -1, -1);
			map(at);
		});
		auto *const m = new (map(locked)) mutex;
		scene of([&](stage &s) {
			note(s, 0, -1, -1);
			pthread_mutex_lock(&m->lock);
			*m->owner() = static_cast<std::uint32_t>(other.pid());
			act(s, 1, -1, -1, [&] {
				pthread_mutex_lock(&m->lock);
			});
		});
		munmap(m, page);
		const actor &a = of.get().actors[1];
		wait_for(a);
		const found f = waits_of({of.pid(), other.pid()})[a.tid];
		BOOST_TEST(f.kind == STACK9_WAIT_MUTEX);
		BOOST_TEST(f.holders == (mapped == locked ?
		    std::vector<pid_t>{other.pid()} : std::vector<pid_t>{}));
		if (mapped != locked)
			BOOST_TEST(f.reason == "its owner is dead, or has "
			    "unmapped it");
	}
	close(file);
}

BOOST_AUTO_TEST_SUITE_END()
