// One count a thread; the line and the exit status that follow from them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tally.h"

#include <cerrno>

#include <fmt/format.h>

#include "exits.h"

namespace stackprint {

void
tally::add(const stack9_record &rec, bool named)
{
	if (rec.error == 0) {
		rec.why == STACK9_WHY_NONE ? captured++ : partial++;
	} else if (rec.error == ESRCH) {
		gone++;
		named_gone += named;
	} else if (rec.error == EPERM) {
		refused++;
	} else if (rec.why == STACK9_WHY_USER_MODE) {
		user_mode++;
	} else {
		failed++;
	}
}

unsigned long
tally::threads() const
{
	return captured + partial + user_mode + failed + refused + gone;
}

std::string
tally::line() const
{
	return fmt::format("{} thread{}: {} captured, {} partial, "
	    "{} in user mode, {} failed, {} refused, {} gone\n",
	    threads(), threads() == 1 ? "" : "s", captured, partial, user_mode,
	    failed, refused, gone);
}

int
tally::status() const
{
	if (captured + partial == 0)
		return exit_none;
	return partial + failed + refused + named_gone == 0 && !cut_short ?
	    exit_complete : exit_partial;
}

} // namespace stackprint
