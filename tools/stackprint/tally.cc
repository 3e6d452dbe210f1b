// Makes the last line and the exit status from one count a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tally.h"

#include <fmt/format.h>

#include "tools/lib/command_line.h"
#include "tools/lib/limits.h"
#include "tools/lib/text.h"

namespace stackprint {

void
tally::add(outcome what, bool named)
{
	switch (what) {
	case outcome::captured:
		captured++;
		break;
	case outcome::partial:
		partial++;
		break;
	case outcome::without:
		without++;
		break;
	case outcome::failed:
		failed++;
		break;
	case outcome::refused:
		refused++;
		break;
	case outcome::gone:
		gone++;
		named_gone += named;
		break;
	}
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
