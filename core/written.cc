// Has the frames of languages found, and compares the thread's switches
// afterwards, so that they are of the moment of the native stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "written.h"

#include <cerrno>

#include "os/sleeps_still.h"
#include "os/thread_pointer.h"

namespace stack9 {
int
add_written(stack9_space &space, const user_copy &copy, moment when,
    bool in_part, stack_record &rec) noexcept
{
	if (rec.written == nullptr || rec.depth == 0)
		return 0;
	rec.written->clear();
	if (is_silent(space))
		return 0;
	return end_written(walk_written(space, copy,
	    {.thread_pointer = thread_pointer(rec.thread.tid),
	    .moment = rec.moment}, rec, *rec.written), copy, when, in_part,
	    rec);
}

int
end_written(written_search found, const user_copy &copy, moment when,
    bool in_part, stack_record &rec) noexcept
{
	if (found == written_search::failed)
		rec.written->clear();
	if (found != written_search::done || rec.written->frames.empty() ||
	    (when == moment::asleep &&
	    sleeps_still(rec.thread.tid, copy.mark)))
		return 0;
	if (when == moment::asleep && !in_part) {
		rec.why = STACK9_WHY_TORN;
		return EAGAIN;
	}
	rec.written->flag_as_guessed();
	return 0;
}

} // namespace stack9
