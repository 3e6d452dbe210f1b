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
    pid_t target)
    : at_(a.waits.next())
{
	at_.end.store(0);
	at_.what = {kind, reads, object, target, now_ns()};
	a.waits.publish();
}

turn &
note_taken(ledger &l, int number, int actor)
{
	object &o = l.objects[number];
	turn &t = o.turns.next();
	t.actor = actor;
	t.release = t.released = 0;
	t.taken = now_ns();
	o.turns.publish();
	return t;
}

} // namespace soak
