// Implements the C entry points of single captures: stack9_save(),
// stack9_save_self() and stack9_save_both().
//
// SPDX-License-Identifier: BSD-2-Clause
#include <unistd.h>

#include "capture.h"
#include "record.h"
#include "user.h"
#include "os/linux/uncancelled.h"

extern "C" int
stack9_save(enum stack9_side side, const struct stack9_thread *td,
    struct stack9_record *rec)
{
	using namespace stack9;
	if (td == nullptr || rec == nullptr)
		return EINVAL;
	reset(*rec, *td, side);
	if (td->tid < 1 ||
	    !(side == STACK9_USER ? has_pcs(*rec) : has_buffer(*rec)))
		return finish(*rec, EINVAL);
	const uncancelled guard;
	switch (side) {
	case STACK9_KERNEL:
		return save_kernel(*td, *rec);
	case STACK9_USER:
		return save_user(*td, *rec, STACK9_ORIGIN());
	case STACK9_BOTH:
		break;
	}
	return finish(*rec, EINVAL);
}

extern "C" int
stack9_save_self(struct stack9_record *rec)
{
	using namespace stack9;
	if (rec == nullptr)
		return EINVAL;
	if (!has_pcs(*rec)) {
		reset_own(*rec);
		return finish(*rec, EINVAL);
	}
	return save_self(*rec, STACK9_ORIGIN());
}

extern "C" int
stack9_save_both(const struct stack9_thread *td, struct stack9_record *kernel,
    struct stack9_record *user)
{
	using namespace stack9;
	if (td == nullptr || kernel == nullptr || user == nullptr)
		return EINVAL;
	reset(*kernel, *td, STACK9_KERNEL);
	reset(*user, *td, STACK9_USER);
	if (td->tid < 1 || !has_buffer(*kernel) || !has_pcs(*user)) {
		finish(*kernel, EINVAL);
		return finish(*user, EINVAL);
	}
	const uncancelled guard;
	if (td->pid == getpid()) {
		save_kernel(*td, *kernel);
		save_user(*td, *user, STACK9_ORIGIN());
	} else {
		save_sides(*td, kernel, *user);
	}
	return 0;
}
