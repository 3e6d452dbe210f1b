// Cuts the thread's own frames out of a stack that an interrupt took.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "validate_running.h"

#include "frame_class.h"

namespace stack9::bpf {
namespace {

int
in_user_mode(stack_record &rec) noexcept
{
	rec.why = STACK9_WHY_USER_MODE;
	rec.state = 'R';
	return EAGAIN;
}

int
names_are_hidden(stack_record &rec) noexcept
{
	rec.reason = "kernel symbol names are hidden, and only they "
	    "distinguish the thread's frames from the interrupt's";
	return EPERM;
}

// The sample ends before the thread's own frames begin.
int
interrupt_fills_stack(stack_record &rec) noexcept
{
	rec.reason = "the interrupt's own frames fill the stack: "
	    "kernel.perf_event_max_stack is too small";
	return EOPNOTSUPP;
}

frame_class
class_at(const s9_record &seen, std::uint32_t i) noexcept
{
	return classify(static_cast<std::uintptr_t>(seen.pcs[i]));
}

// The first frame below the entry of the innermost interrupt.  found is the
// class of the entry; plain: there is none.
std::uint32_t
below_entry(const s9_record &seen, std::uint32_t depth, frame_class &found)
    noexcept
{
	const auto at = [&](std::uint32_t i) {
		const frame_class c = class_at(seen, i);
		return c == frame_class::tracing ? frame_class::plain : c;
	};
	std::uint32_t i = 0;
	found = frame_class::plain;
	while (i < depth && found == frame_class::plain)
		found = at(i++);
	// The entry of arm64 is two frames, a handler and the vector that
	// calls it.
	while (found == frame_class::interrupt && i < depth &&
	    at(i) == frame_class::interrupt)
		i++;
	return i;
}

// The first frame that was there before the event.
std::uint32_t
below_tracing(const s9_record &seen, std::uint32_t depth) noexcept
{
	std::uint32_t i = 0;
	while (i < depth && class_at(seen, i) == frame_class::tracing)
		i++;
	return i;
}

} // namespace

int
validate_running(const s9_record &seen, sample_origin origin,
    const stack9_thread &td, stack_record &rec) noexcept
{
	if (const int error = validate_identity(seen, td, rec); error != 0)
		return error;
	if (seen.bytes < 0)
		return validate_refusal(seen, rec);
	const std::uint32_t depth = depth_of(seen);
	const bool truncated = is_truncated(depth);
	frame_class entry = frame_class::entry;
	const std::uint32_t first =
	    origin == sample_origin::in_interrupt ?
	    below_entry(seen, depth, entry) :
	    origin == sample_origin::at_event ? below_tracing(seen, depth) : 0;
	if (entry == frame_class::unknown)
		return names_are_hidden(rec);
	if (first >= depth && truncated)
		return interrupt_fills_stack(rec);
	if (entry == frame_class::plain) {
		rec.why = STACK9_WHY_REFUSED;
		rec.reason = "the interrupt's entry is not in its stack";
		return EAGAIN;
	}
	if (first >= depth)
		return in_user_mode(rec);
	const frame_class outermost = class_at(seen, depth - 1);
	if (outermost == frame_class::unknown)
		return names_are_hidden(rec);
	const bool interrupts = outermost == frame_class::interrupt;
	if (interrupts && !truncated && origin != sample_origin::at_event)
		return in_user_mode(rec);
	copy_frames(seen, first, rec);
	// The caller of a tracepoint is a return address.
	if (origin != sample_origin::at_event || first == 0)
		rec.flags |= STACK9_STACK_EXACT;
	rec.state = 'R';
	if (outermost != frame_class::entry &&
	    !(interrupts && origin == sample_origin::at_event)) {
		// The thread stood still during the sample, so the stack is not
		// torn, only short.
		rec.why = truncated ? STACK9_WHY_TRUNCATED :
		    STACK9_WHY_UNWIND;
		if (rec.why == STACK9_WHY_UNWIND)
			rec.reason = "the kernel's unwinder stopped at the "
			    "last frame";
	}
	return 0;
}

} // namespace stack9::bpf
