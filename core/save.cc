// Captures one side of a thread, or both, into records.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "save.h"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

#include "capture.h"
#include "core/seam/capture_asleep.h"
#include "core/seam/written.h"
#include "record.h"
#include "os/uncancelled.h"

namespace stack9 {

int
save_record(stack9_side side, const stack9_thread &td, stack_record &rec,
    const origin &first, stopping may, unique_space *opened) noexcept
{
	reset(rec, td, side);
	if (td.tid < 1 || !(side == STACK9_USER ? has_pcs(rec) :
	    has_buffer(rec)))
		return finish(rec, EINVAL);
	const uncancelled guard;
	switch (side) {
	case STACK9_KERNEL:
		return save_kernel(td, rec);
	case STACK9_USER:
		return save_user(td, rec, first, may, opened);
	case STACK9_BOTH:
		break;
	}
	return finish(rec, EINVAL);
}

int
capture_asleep(const stack9_thread &td, stack_record &rec) noexcept
{
	if (td.pid == getpid())
		return finish(rec, EOPNOTSUPP);
	stack9_space *const space = rec.space;
	const int error = save_record(STACK9_USER, td, rec, {},
	    stopping::never);
	rec.space = space;
	const auto is_guessed = [](const written_frame &f) {
		return (f.flags & written_guessed) != 0;
	};
	return error != 0 || rec.written == nullptr ||
	    std::ranges::none_of(rec.written->frames, is_guessed) ? error :
	    EAGAIN;
}

int
save_records(const stack9_thread &td, stack_record &kernel, stack_record &user,
    const origin &first, stopping may, unique_space *opened) noexcept
{
	reset(kernel, td, STACK9_KERNEL);
	reset(user, td, STACK9_USER);
	if (td.tid < 1 || !has_buffer(kernel) || !has_pcs(user)) {
		finish(kernel, EINVAL);
		return finish(user, EINVAL);
	}
	const uncancelled guard;
	if (td.pid == getpid()) {
		save_kernel(td, kernel);
		save_user(td, user, first, may);
	} else {
		save_sides(td, &kernel, user, may, opened);
	}
	return 0;
}

} // namespace stack9
