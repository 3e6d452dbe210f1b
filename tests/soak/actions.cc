// Does one thing after the other that threads do, at random.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "actions.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "deep.h"
#include "locks.h"

namespace soak {
namespace {

void
sleep_noted(actor &a, std::uint64_t ns)
{
	const noted_wait w(a, thing::sleep, -1);
	timespec t{static_cast<time_t>(ns / 1'000'000'000),
	    static_cast<long>(ns % 1'000'000'000)};
	nanosleep(&t, nullptr);
}

void
spin(std::uint64_t ns)
{
	const std::uint64_t end = now_ns() + ns;
	while (now_ns() < end)
		;
}

} // namespace

std::uint64_t
some_time(dice &d, std::uint64_t longest)
{
	constexpr double shortest = 100'000;
	const double share = below(d, 10'001) / 10'000.;
	return static_cast<std::uint64_t>(shortest * std::pow(
	    static_cast<double>(longest) / shortest, share));
}

actions::actions(ledger &l, int number, unsigned int seed)
    : l_(l), a_(l.actors[number]), number_(number), d_(seed)
{
	for (int i = 0; i < l.object_count; i++)
		fds_.push_back(open_file(l.objects[i]));
	for (int i = 0; i < number; i++)
		first_ = first_ && l.actors[i].process != a_.process;
}

// A process does not wait for its own POSIX locks, so one thread takes them.
bool
actions::may_take(const object &o) const
{
	return has_owner(o.kind) && !o.of_group &&
	    (o.process < 0 || o.process == a_.process) &&
	    (o.kind != thing::posix || first_);
}

void
actions::hold()
{
	const std::uint64_t ns = some_time(d_, l_.longest_ns);
	switch (below(d_, 8)) {
	case 0:
		return spin(std::min<std::uint64_t>(ns, 2'000'000));
	case 1:
		return wait_unowned();
	case 2:
		return read_end();
	default:
		sleep_noted(a_, ns);
	}
}

// Takes up to three locks in their order.  That never locks itself up.
void
actions::take_locks()
{
	struct held {
		int	object;
		turn	*t;
	};
	std::vector<held> all;
	const std::size_t most = 1 + below(d_, 3);
	for (int i = 0; i < l_.object_count && all.size() < most; i++) {
		if (!may_take(l_.objects[i]) || below(d_, 3) == 0)
			continue;
		manner how;
		how.reads = l_.objects[i].kind == thing::rw &&
		    below(d_, 3) == 0;
		how.most_ns = below(d_, 4) == 0 ? some_time(d_, 50'000'000) : 0;
		turn *t = nullptr;
		if (!take(l_, i, number_, fds_[static_cast<std::size_t>(i)],
		    how, t))
			break;
		all.push_back({i, t});
		hold();
	}
	for (; !all.empty(); all.pop_back())
		release(l_, all.back().object,
		    fds_[static_cast<std::size_t>(all.back().object)],
		    all.back().t);
}

void
actions::wait_for_event(int i, object &o)
{
	const noted_wait w(a_, o.kind, i);
	pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
	switch (o.kind) {
	case thing::condition:
		pthread_mutex_lock(&own);
		pthread_cond_wait(&o.condition, &own);
		pthread_mutex_unlock(&own);
		break;
	case thing::semaphore:
		sem_wait(&o.semaphore);
		break;
	case thing::barrier:
		pthread_barrier_wait(&o.barrier);
		break;
	default:
		syscall(SYS_futex, &o.word, o.process < 0 ? FUTEX_WAIT :
		    FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
	}
}

void
actions::wait_unowned()
{
	std::vector<int> some;
	for (int i = 0; i < l_.object_count; i++) {
		const object &o = l_.objects[i];
		if (o.kind >= thing::condition && o.kind <= thing::word &&
		    (o.process < 0 || o.process == a_.process))
			some.push_back(i);
	}
	if (some.empty())
		return;
	const int i = some[below(d_, static_cast<unsigned int>(some.size()))];
	wait_for_event(i, l_.objects[i]);
}

// The writer writes one byte, and several may wait for it.
void
actions::read_end()
{
	std::vector<int> some;
	for (int i = 0; i < l_.object_count; i++)
		if (l_.objects[i].reader == a_.process)
			some.push_back(i);
	if (some.empty())
		return;
	const int i = some[below(d_, static_cast<unsigned int>(some.size()))];
	char c[8];	// what an eventfd gives
	if (below(d_, 3) == 0) {
		pollfd p{l_.objects[i].ends[0], POLLIN, 0};
		const noted_wait w(a_, thing::polled, i);
		poll(&p, 1, -1);
		return;
	}
	const noted_wait w(a_, l_.objects[i].kind, i);
	(void)!read(l_.objects[i].ends[0], c, l_.objects[i].kind ==
	    thing::event ? sizeof c : 1);
}

void
actions::join()
{
	struct told {
		std::atomic<pid_t> tid{0};
		std::uint64_t ns;
	} t;
	t.ns = some_time(d_, 100'000'000);
	pthread_t other;
	if (pthread_create(&other, nullptr, [](void *arg) -> void * {
		told &to = *static_cast<told *>(arg);
		const timespec ts{0, static_cast<long>(to.ns)};
		to.tid.store(gettid());
		nanosleep(&ts, nullptr);
		return nullptr;
	}, &t) != 0)
		return;
	while (t.tid.load() == 0)
		sched_yield();
	const noted_wait w(a_, thing::join, -1, false, t.tid.load());
	pthread_join(other, nullptr);
}

void
actions::wait_for_child()
{
	const timespec ts{0, static_cast<long>(some_time(d_, 100'000'000))};
	const std::uint32_t n = l_.children.count.fetch_add(1);
	born_child &child = l_.children.of(n);
	child.pid.store(0);
	child.parent = a_.pid;
	child.begin = now_ns();
	const pid_t pid = fork();
	if (pid == 0) {
		close_range(3, ~0u, 0);
		nanosleep(&ts, nullptr);
		_exit(0);
	}
	child.pid.store(pid);
	if (pid < 0)
		return;
	const noted_wait w(a_, thing::child, -1, false, pid);
	waitpid(pid, nullptr, 0);
}

// Zeros, junk, data, and code that never called.
std::uintptr_t
actions::bad_word()
{
	switch (below(d_, 6)) {
	case 0:
	case 1:
		return 0;
	case 2:
		return 0x4141414141414141;
	case 3:
		return reinterpret_cast<std::uintptr_t>(&l_);
	case 4:
		return reinterpret_cast<std::uintptr_t>(this);
	default:
		return reinterpret_cast<std::uintptr_t>(&pthread_mutex_lock) +
		    below(d_, 64);
	}
}

void
actions::do_one()
{
	static constexpr action all[] = {&actions::take_locks,
	    &actions::take_locks, &actions::take_locks, &actions::take_locks,
	    &actions::wait_unowned, &actions::read_end, &actions::join,
	    &actions::wait_for_child};
	const action what = all[below(d_, std::size(all))];
	const bool spoils = below(d_, 8) == 0;
	const std::uintptr_t bad = spoils ? bad_word() : 0;
	go_deep(a_, 3 + below(d_, below(d_, 10) == 0 ? 500 : 40),
	    spoils ? &bad : nullptr, [&] { (this->*what)(); });
}

} // namespace soak
