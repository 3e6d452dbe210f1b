// Makes the last line and the exit status from one count a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tally.h"

#include <fmt/format.h>

#include "tools/lib/command_line.h"
#include "tools/lib/limits.h"
#include "tools/lib/text.h"

namespace stackprint {

unsigned long &
tally::of(outcome what)
{
	switch (what) {
	case outcome::captured:
		return captured;
	case outcome::partial:
		return partial;
	case outcome::without:
		return without;
	case outcome::failed:
		return failed;
	case outcome::refused:
		return refused;
	case outcome::gone:
		break;
	}
	return gone;
}

void
tally::add(outcome what, bool named)
{
	of(what)++;
	named_gone += named && what == outcome::gone;
}

void
tally::remove(outcome what, bool named)
{
	of(what)--;
	named_gone -= named && what == outcome::gone;
}

unsigned long
tally::threads() const
{
	return captured + partial + without + failed + refused + gone;
}

// If both sides are asked for, every thread has a stack.
std::string
tally::line() const
{
	std::string others;
	if (sides != STACK9_BOTH)
		others = fmt::format("{} {}, ", without,
		    sides == STACK9_KERNEL ? "in user mode" : "kernel threads");
	std::string parked;
	if (coroutines != 0)
		parked = fmt::format("{} on no thread: {} captured\n",
		    amount(coroutines, tasks == 0 ? "goroutine" :
		    tasks == coroutines ? "task" : "coroutine"),
		    coroutines_captured);
	return parked + fmt::format("{}: {} captured, {} partial, {}{} failed, "
	    "{} refused, {} gone{}\n", amount(threads(), "thread"), captured,
	    partial, others, failed, refused, gone, left_out_text());
}

int
tally::status() const
{
	if (captured + partial == 0)
		return exit_none;
	return partial + failed + refused + named_gone == 0 && !cut_short &&
	    coroutines == coroutines_captured ?
	    exit_complete : exit_partial;
}

} // namespace stackprint
