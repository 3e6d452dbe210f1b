// See counts.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "counts.h"

#include <cstdint>

#include <unwind/counts.h>
#include <unwind/generation.h>
#include <unwind/table.h>
#include <unwind/thread_state.h>

namespace stack9::self {
namespace {

using unwind::counter;

struct named {
	counter		 which;
	const char	*name;
	const char	*meaning;
};

constexpr counter
by(unwind::cause c) noexcept
{
	return static_cast<counter>(static_cast<int>(counter::full) +
	    static_cast<int>(c));
}

constexpr named names[] = {
	{counter::computed, "rules",
	    "unwind rules computed, at first sight of a pc"},
	{counter::guesses, "guesses",
	    "frames without unwind information passed by their frame pointer"},
	{counter::interrupted, "interrupted",
	    "captures by a signal handler in the middle of another's"},
	{counter::no_room, "no-state",
	    "captures by threads for which there was no memo"},
	{counter::threads, "threads", "threads that were given a memo"},
	{counter::probes, "probes",
	    "system calls to see whether memory can be read"},
	{by(unwind::cause::cfa_register), "full-cfa-register",
	    "full stepping: the CFA is in another register than sp and fp"},
	{by(unwind::cause::cfa_expression), "full-cfa-expression",
	    "full stepping: the CFA is computed"},
	{by(unwind::cause::far), "full-far",
	    "full stepping: an offset is too large for a rule"},
	{by(unwind::cause::return_address), "full-return-address",
	    "full stepping: the return address is in an unusual place"},
	{by(unwind::cause::frame_pointer), "full-frame-pointer",
	    "full stepping: the frame pointer is in an unusual place"},
	{by(unwind::cause::malformed), "full-malformed",
	    "full stepping: the unwind information or the stack is damaged"},
	{counter::absent, "full-absent",
	    "walks that came to a pc without unwind information"},
};

} // namespace

int
tell_counts(stack9_count_fn *fn, void *arg) noexcept
{
	int stop = 0;
	for (const named &n : names)
		if (stop == 0)
			stop = fn(arg, n.name, unwind::tally[
			    static_cast<std::size_t>(n.which)], n.meaning);
	const named more[] = {
		{counter::last, "evicted",
		    "rules that had to make room for others"},
		{counter::last, "generations",
		    "times that code was found loaded or unloaded"},
		{counter::last, "process-bytes",
		    "memory for rules, for the process, at most"},
		{counter::last, "thread-bytes",
		    "memory for the memo of a thread, at most"},
		{counter::last, "threads-max",
		    "threads that can have a memo at one time"},
	};
	const std::uint64_t values[] = {
		unwind::rules.evicted(),
		unwind::code_generation.changes(),
		sizeof unwind::rules,
		unwind::thread_state::size,
		unwind::thread_state::most,
	};
	for (std::size_t i = 0; stop == 0 && i < std::size(more); i++)
		stop = fn(arg, more[i].name, values[i], more[i].meaning);
	return stop;
}

} // namespace stack9::self
