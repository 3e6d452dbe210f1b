// Keeps account of what was submitted and what has become of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ledger.h"

#include <cerrno>

void
ledger::submitted(stack9_id id, int number, pid_t tid)
{
	change(id, [&](entry &e) {
		if (e.number >= 0 || id == 0)
			fault("an id given out twice");
		e.number = number;
		e.tid = tid;
	});
}

void
ledger::collected(entry &e, int outcome)
{
	if (outcome == ENOENT)
		e.unknown++;
	else
		e.outcome = outcome;
}

void
ledger::fault(const std::string &what)
{
	const std::lock_guard alone(mutex_);
	faults[what]++;
}

long
ledger::outstanding()
{
	long n = 0;
	for (shelf &s : all_) {
		const std::lock_guard alone(s.mutex);
		for (const auto &[id, e] : s.entries)
			n += e.arrivals == 0 && !e.cancelled && !e.forgotten;
	}
	return n;
}

std::string
ledger::fault_of(const entry &e) const
{
	if (e.number < 0)
		return "an id that nobody submitted";
	if (e.arrivals > 1)
		return "came twice";
	if (e.releases != 1)
		return "not released, or twice";
	if (e.unknown != 0 && !e.cancelled && !e.forgotten)
		return "not known any more";
	if (e.outcome == 0 && (e.seen != e.tid ||
	    (e.seen_number >= 0 && e.seen_number != e.number)))
		return "another thread's stack";
	if (e.forgotten)
		return e.outcome <= 0 || e.outcome == ESRCH ? "" :
		    "a forgotten one ended wrongly";
	if (e.cancelled)
		return e.outcome == ECANCELED ? "" : "not cancelled";
	if (e.arrivals == 0)
		return "lost";
	return e.outcome == 0 || e.outcome == ESRCH ? "" : "ended wrongly";
}

void
ledger::check()
{
	for (shelf &s : all_)
		for (const auto &[id, e] : s.entries) {
			if (const std::string f = fault_of(e); !f.empty())
				faults[f]++;
			ends[e.forgotten ? "released before" : e.cancelled ?
			    "ECANCELED" : e.outcome == ESRCH ? "ESRCH" :
			    e.seen_number < 0 ? "not in their chains" :
			    "stacks"]++;
		}
}
