// Tests code without unwind information whose frame pointer is its caller's.
// The caller's frame record is at the bottom of a frame, and does not show
// where the frame ends.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>

#include <execinfo.h>

#include "check.h"

#include "unwind/stacks.h"

extern "C" void call_without_record(void (*fn)());

asm(R"(
	.text
	.p2align 4
	.globl	call_without_record
	.type	call_without_record, @function
call_without_record:
	stp	x29, x30, [sp, #-16]!
	blr	x0
	ldp	x29, x30, [sp], #16
	ret
	.size	call_without_record, . - call_without_record
)");

namespace {

frames before;		// backtrace(3)'s, in the function that called

// Its caller is missing after the code, and no frame is wrong.  Programs
// without frame pointers may have no more than the code.
void
must_be_right(const char *where, frames &ours)
{
	must(ours.depth >= 2, "the code is there");
	if (ours.depth == 2)
		return;
	ours.depth -= 2;
	std::memmove(ours.pcs, ours.pcs + 2, ours.depth * sizeof ours.pcs[0]);
	must(must_continue(where, ours, before) >= 1, "its caller is skipped");
}

[[gnu::noinline]] void
capture()
{
	using namespace stack9::unwind;
	static frames ours;
	own_memory words;
	registers here;
	take_registers(here);
	ours.depth = walk_memory(words, here, ours.pcs, frames_room).depth;
	must_be_right("walk_memory()", ours);
	ours.depth = walk_rows(here, ours.pcs, frames_room,
	    counting::yes).depth;
	must_be_right("walk_rows()", ours);
	keep(&here);
}

[[gnu::noinline]] void
call_it()
{
	char frame[200];
	keep(frame);
	before.depth = static_cast<std::uint32_t>(backtrace(
	    reinterpret_cast<void **>(before.pcs), frames_room));
	call_without_record(capture);
	keep(frame);
}

} // namespace

SCENARIO(records, "no frame is invented behind code without a frame record")
{
	for (int depth = 0; depth < 20; depth++)
		through_frames(depth, call_it);
}
