// Says in words what became of the events.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "closing.h"

#include <algorithm>

#include <fmt/format.h>

#include "tools/lib/command_line.h"
#include "tools/lib/file_notes.h"
#include "tools/lib/limits.h"
#include "tools/lib/surroundings.h"
#include "tools/lib/text.h"

namespace events {
namespace {

using tools::amount;

// A number that is 0 is not printed.
std::string
member(std::uint64_t value, const char *what)
{
	return value == 0 ? "" : fmt::format(", {} {}", value, what);
}

bool
counts(const options &o)
{
	return std::string_view(o.program) == "stackcount";
}

std::string
events_were(std::uint64_t n)
{
	return amount(n, "event") + (n == 1 ? " was" : " were");
}

void
advise_on_ring(const options &o, const stack9_tally &t, screen &s)
{
	if (t.no_room == 0)
		return;
	const char *ring = "a larger --ring (64M, say)";
	if (counts(o))
		s.message("{} not kept, for there was no room; what helps: "
		    "more --stacks (a million, say), or {}",
		    events_were(t.no_room), ring);
	else
		s.message("{} lost, for they came faster than they were "
		    "written; what helps: {}, fewer --frames, or -p",
		    events_were(t.no_room), ring);
}

// Copied stacks have all their frames without a number.
std::string
deeper_by(const options &o)
{
	return o.frames < deepest ? "more --frames" : "no --frames";
}

// Names the limits that may have cut a stack that was copied.
std::string
limits_of_copies(const options &o)
{
	const std::string frames = o.frames != 0 ?
	    fmt::format(", and {} frames are kept", o.frames) : counts(o) ?
	    ", and 1024 frames are kept once all stacks take 128 MiB" : "";
	return "of a user stack 512 KiB are copied at most, and 32 KiB while "
	    "the ring is filling or where the end of the stack is not known" +
	    frames + "; what may help: a larger --ring (64M, say)" +
	    (o.frames != 0 ? ", " + deeper_by(o) : "");
}

std::string
limit_of_the_kernel(const stack9_tally &t)
{
	return fmt::format("the kernel gives {} frames; try: sysctl "
	    "kernel.perf_event_max_stack={} (it cannot be changed while a "
	    "program that takes stacks is loaded)", t.frames,
	    std::max(512u, t.frames * 2));
}

// Returns true if user stacks are copied, and unwound later.
bool
copies(const options &o)
{
	return (o.sides() & STACK9_USER) && !o.frame_pointers;
}

// Says that a side has come out with at most so many frames.
void
advise_on_depth(const options &o, const stack9_tally &t, screen &s)
{
	if (t.truncated == 0)
		return;
	const std::string events = amount(t.truncated, "event");
	if (o.frames != 0 && o.frames < deepest && t.frames >= o.frames)
		s.message("the stacks of {} have more than {} frames; what "
		    "helps: more --frames", events, t.frames);
	else if (!copies(o))
		s.message("the stacks of {} are not whole: {}", events,
		    limit_of_the_kernel(t));
	else if (o.sides() == STACK9_USER)
		s.message("the stacks of {} are not whole: {}", events,
		    limits_of_copies(o));
	else
		s.message("the stacks of {} are not whole: {}; of a kernel "
		    "stack {}", events, limits_of_copies(o),
		    limit_of_the_kernel(t));
}

} // namespace

std::string
closing_line(const options &o, const stack9_tally &t)
{
	std::string line = fmt::format("{}: {} kept",
	    amount(t.events, "event"), t.kept);
	if (counts(o))
		line += ", " + amount(t.stacks, "stack");
	return line + member(t.no_room, "without room") +
	    member(t.nested, "nested") +
	    member(t.truncated, "truncated") +
	    member(t.skipped, "skipped by the kernel") +
	    member(t.walked, "walked") +
	    member(t.remembered, "remembered") + member(t.copied, "copied") +
	    ((t.flags & STACK9_TALLY_NO_WALK) != 0 ?
	    " (not walked by this kernel)" : "") +
	    member(t.lacking, "lacking language frames") +
	    (t.refused == 0 ? "" : ", no place for " +
	    amount(t.refused, "rule")) +
	    tools::left_out_text();
}

void
advise(const options &o, const stack9_tally &t, screen &s)
{
	advise_on_ring(o, t, s);
	advise_on_depth(o, t, s);
	if (t.nested != 0)
		s.message("{} not kept: they came while their CPU was handling "
		    "four others", events_were(t.nested));
	if (t.skipped != 0)
		s.message("{} more {} not shown by the kernel: they came while "
		    "it ran a program of the same event", t.skipped,
		    t.skipped == 1 ? "event was" : "events were");
	for (const std::string &note : tools::file_notes_text())
		s.message("{}", note);
}

void
report_hidden_names(screen &to)
{
	to.message("{}", tools::hidden_names());
}

int
exit_status(const stack9_tally &t, bool failed)
{
	if (t.kept == 0)
		return tools::exit_none;
	return failed || t.kept != t.events || t.skipped != 0 ||
	    t.truncated != 0 ? tools::exit_partial :
	    tools::exit_complete;
}

} // namespace events
