// Does at random what threads do, or locks itself up, or wakes others.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "actors.h"

#include <ctime>

#include <execinfo.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "actions.h"
#include "deep.h"
#include "locks.h"

namespace soak {
namespace {

// Notes the thread, with the address that its stack ends by.
void
note_self(ledger &l, int number)
{
	void *pcs[64];
	const int n = backtrace(pcs, 64);
	actor &a = l.actors[number];
	a.pid = getpid();
	a.outermost = n > 0 ? reinterpret_cast<std::uintptr_t>(pcs[n - 1]) : 0;
	a.tid.store(gettid());
	l.begun.fetch_add(1);
}

} // namespace

void
act_at_random(ledger &l, int number, unsigned int seed)
{
	note_self(l, number);
	actions self(l, number, seed);
	while (l.ready.load() == 0)
		usleep(1000);
	for (;;)
		self.do_one();
}

void
lock_up(ledger &l, int member)
{
	group &g = l.stuck;
	const int who = g.actors[member], next = (member + 1) % g.members;
	const auto object_of = [&](int m) {
		return l.object_count - g.members + m;
	};
	note_self(l, who);
	turn *t = nullptr;
	take(l, object_of(member), who, open_file(l.objects[object_of(
	    member)]), {}, t);
	g.ready.fetch_add(1);
	while (g.ready.load() < g.members)
		usleep(1000);
	for (;;) {
		manner how;
		how.most_ns = g.timed && member == 0 ? 60'000'000'000 : 0;
		go_deep(l.actors[who], 5 + static_cast<unsigned int>(member),
		    nullptr, [&] {
			g.stuck[member].store(now_ns());
			take(l, object_of(next), who, open_file(l.objects[
			    object_of(next)]), how, t);
		});
	}
}

void
wake_others(ledger &l, int process, unsigned int seed)
{
	dice d(seed);
	for (;;) {
		const timespec ts{0, static_cast<long>(some_time(d,
		    20'000'000))};
		nanosleep(&ts, nullptr);
		object &o = l.objects[below(d, static_cast<unsigned int>(
		    l.object_count))];
		if (o.writer == process) {
			const std::uint64_t more = 1;
			(void)!write(o.ends[1], &more, o.kind == thing::event ?
			    sizeof more : 1);
			continue;
		}
		if (o.process >= 0 && o.process != process)
			continue;
		if (o.kind == thing::condition)
			pthread_cond_broadcast(&o.condition);
		else if (o.kind == thing::semaphore)
			sem_post(&o.semaphore);
		else if (o.kind == thing::word)
			syscall(SYS_futex, &o.word, o.process < 0 ? FUTEX_WAKE :
			    FUTEX_WAKE_PRIVATE, 64, nullptr, nullptr, 0);
	}
}

} // namespace soak
