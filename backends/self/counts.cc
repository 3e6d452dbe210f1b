// Names the counters of unwind/ and reports their values.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "routes.h"

#include <cstdint>

#include "unwind/counts.h"
#include "unwind/generation.h"
#include "unwind/table.h"
#include "unwind/thread_state.h"

namespace stack9::self {
namespace {

using unwind::cause;
using unwind::counter;
using unwind::counter_of;

struct named {
	counter		 which;
	const char	*name;
	const char	*meaning;
};

constexpr named names[] = {
	{counter::computed, "rules",
	    "unwind rules computed, at first sight of a pc"},
	{counter::guesses, "guesses",
	    "frames without unwind information passed by their frame pointer"},
	{counter::interrupted, "interrupted",
	    "captures by a signal handler in the middle of another's"},
	{counter::no_state, "no-state",
	    "captures by threads for which there was no memo"},
	{counter::threads, "threads", "threads that were given a memo"},
	{counter::probes, "probes",
	    "system calls to see whether memory can be read"},
	{counter_of(cause::cfa_register), "full-cfa-register",
	    "full stepping: the CFA is in another register than sp and fp"},
	{counter_of(cause::cfa_expression), "full-cfa-expression",
	    "full stepping: the CFA is computed"},
	{counter_of(cause::far), "full-far",
	    "full stepping: an offset is too large for a rule"},
	{counter_of(cause::return_address), "full-return-address",
	    "full stepping: the return address is in an unusual place"},
	{counter_of(cause::frame_pointer), "full-frame-pointer",
	    "full stepping: the frame pointer is in an unusual place"},
	{counter_of(cause::malformed), "full-malformed",
	    "full stepping: the unwind information or the stack is damaged"},
	{counter::absent, "full-absent",
	    "walks that came to a pc without unwind information"},
};

} // namespace

int
each_count(stack9_stat_fn *fn, void *arg) noexcept
{
	int stop = 0;
	for (const named &n : names)
		if (stop == 0)
			stop = fn(arg, n.name, unwind::tally[
			    static_cast<std::size_t>(n.which)], n.meaning);
	const struct {
		const char	*name;
		std::uint64_t	 value;
		const char	*meaning;
	} more[] = {
		{"evicted", unwind::rules.evicted(),
		    "rules that had to make room for others"},
		{"generations", unwind::code_generation.changes(),
		    "times that code was found loaded or unloaded"},
		{"process-bytes", sizeof unwind::rules,
		    "memory for rules, for the process, at most"},
		{"thread-bytes", unwind::thread_state::size +
		    unwind::spare_memos::bytes(),
		    "memory for the memos of a thread, at most"},
		{"threads-max", unwind::thread_state::most,
		    "threads that can have a memo at one time"},
	};
	for (const auto &m : more)
		if (stop == 0)
			stop = fn(arg, m.name, m.value, m.meaning);
	return stop;
}

} // namespace stack9::self
