// Notes waits and turns.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ledger.h"

#include <ctime>

namespace soak {

std::uint64_t
now_ns()
{
	timespec t{};
	clock_gettime(CLOCK_MONOTONIC, &t);
	return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
	    static_cast<std::uint64_t>(t.tv_nsec);
}

noted_wait::noted_wait(actor &a, thing kind, int object, bool reads,
    bool timed, pid_t target)
    : at_(a.wait_log[a.waits.load() % waits_kept])
{
	at_.kind = kind;
	at_.reads = reads;
	at_.timed = timed;
	at_.object = object;
	at_.target = target;
	at_.end.store(0);
	at_.begin = now_ns();
	a.waits.fetch_add(1);
}

turn &
note_taken(ledger &l, int number, int actor)
{
	object &o = l.objects[number];
	turn &t = o.log[o.turns.load() % turns_kept];
	t.actor = actor;
	t.release = t.released = 0;
	t.taken = now_ns();
	o.turns.fetch_add(1);
	return t;
}

} // namespace soak
