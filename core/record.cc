// Prepares and completes the record of a capture.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "record.h"

namespace stack9 {

void
reset_own(stack_record &rec) noexcept
{
	rec.error = 0;
	rec.why = STACK9_WHY_NONE;
	rec.reason = nullptr;
	rec.route = nullptr;
	rec.flags = 0;
	rec.depth = 0;
	rec.dropped = 0;
	rec.when_ns = 0;
	rec.switches = 0;
	rec.cpu = -1;
	rec.state = '?';
	rec.comm[0] = '\0';
	rec.side = STACK9_USER;
	rec.tracer = 0;
}

void
reset(stack_record &rec, const stack9_thread &td, stack9_side side) noexcept
{
	reset_own(rec);
	rec.thread = td;
	rec.side = side;
	if (rec.text != nullptr && rec.text_size > 0)
		rec.text[0] = '\0';
}

int
finish(stack_record &rec, int error) noexcept
{
	rec.error = error;
	if (error != 0)
		rec.depth = rec.dropped = 0;
	return error;
}

bool
has_pcs(const stack_record &rec) noexcept
{
	return rec.pcs != nullptr && rec.max > 0;
}

bool
has_buffer(const stack_record &rec) noexcept
{
	return has_pcs(rec) || (rec.text != nullptr && rec.text_size > 1);
}

} // namespace stack9
