// Says for each kind of probe which program serves it and how that program is
// attached.  A new kind of probe is a row here, and a way in attach.cc if none
// of the ways fits it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "object_ids.h"
#include "backends/linux-events/probes/probe.h"

namespace stack9::events {

// How a program is attached to a probe.
enum class way : std::uint8_t {
	raw_tracepoint,
	call_event,	// a perf event on a tracepoint: a system call's own, or
			// that of all calls
	kprobe,
	fentry,		// the program is loaded for this function alone
	uprobe,
	every_cpu,	// a perf event on each CPU
	lent,		// tail calls of programs of others
	last = lent
};

struct program_row {
	probe_kind	kind;
	bool		returns;	// of a system call
	program_id	program;
	way		how;
	// The tracepoint that all probes of the kind share; NULL: each probe
	// has its own.
	const char	*shared;
	// Tried first if the watch has this probe only and prepare_alone() says
	// so.  The same as program and how: there is no other way.
	program_id	alone_program;
	way		alone;
	bool		exact;	// stacks begin with a pc, no return address
};

namespace table {

using k = probe_kind;
using p = program_id;
using w = way;

// A function alone gets a program of its own: it is entered by a jump where a
// probe's program is entered by a trap.
inline constexpr program_row rows[] = {
	{k::tracepoint, false, p::at_tracepoint, w::raw_tracepoint, nullptr,
	    p::at_tracepoint, w::raw_tracepoint, false},
	{k::syscall, false, p::at_enter, w::raw_tracepoint, "sys_enter",
	    p::at_call, w::call_event, false},
	{k::syscall, true, p::at_exit, w::raw_tracepoint, "sys_exit",
	    p::at_call, w::call_event, false},
	{k::kernel, false, p::at_function, w::kprobe, nullptr,
	    p::at_fentry, w::fentry, true},
	{k::user, false, p::at_user, w::uprobe, nullptr,
	    p::at_user, w::uprobe, true},
	{k::usdt, false, p::at_user, w::uprobe, nullptr,
	    p::at_user, w::uprobe, true},
	{k::software, false, p::at_sample, w::every_cpu, nullptr,
	    p::at_sample, w::every_cpu, true},
	{k::off_cpu, false, p::at_switch, w::raw_tracepoint, "sched_switch",
	    p::at_switch, w::raw_tracepoint, false},
	{k::trigger, false, p::lent_kprobe, w::lent, nullptr,
	    p::lent_kprobe, w::lent, true},
};

consteval bool
has_every_kind()
{
	for (int kind = 0; kind <= static_cast<int>(k::last); kind++)
		if (std::none_of(std::begin(rows), std::end(rows),
		    [&](const program_row &x) {
			return x.kind == static_cast<k>(kind) && !x.returns;
		    }))
			return false;
	return true;
}
static_assert(has_every_kind(), "a kind of probe has no row");

} // namespace table

inline const program_row &
program_row_of(const probe &p) noexcept
{
	return *std::find_if(std::begin(table::rows),
	    std::end(table::rows), [&](const program_row &x) {
		return x.kind == p.kind &&
		    x.returns == (p.kind == probe_kind::syscall && p.returns);
	});
}

// How the probes of a watch are attached to.
enum class manner : std::uint8_t {
	usual,
	alone,		// by the way for a probe that the watch has alone
	undisturbed	// system calls where no program is preempted
};

inline program_id
program_of(const probe &p, manner m) noexcept
{
	const program_row &row = program_row_of(p);
	return m == manner::alone || (m == manner::undisturbed &&
	    p.kind == probe_kind::syscall) ? row.alone_program : row.program;
}

inline way
way_of(const probe &p, manner m) noexcept
{
	const program_row &row = program_row_of(p);
	return m == manner::alone || (m == manner::undisturbed &&
	    p.kind == probe_kind::syscall) ? row.alone : row.how;
}

inline program_set
programs_of(const std::vector<probe> &probes, manner m)
{
	program_set all;
	for (const probe &p : probes)
		all.set(index_of(program_of(p, m)));
	return all;
}

} // namespace stack9::events
