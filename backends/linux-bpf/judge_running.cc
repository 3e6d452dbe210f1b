// The thread's own frames out of a stack taken by an interrupt.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "judge_running.h"

#include "frame_class.h"

namespace stack9::bpf {
namespace {

int
in_user_mode(stack9_record &rec) noexcept
{
	rec.why = STACK9_WHY_USER_MODE;
	rec.state = 'R';
	return EAGAIN;
}

// The first frame below the entry of the innermost interrupt; depth if there
// is no frame of that kind.
std::uint32_t
below_entry(const s9_record &seen, std::uint32_t depth, bool &unknown) noexcept
{
	for (std::uint32_t i = 0; i < depth; i++) {
		const frame_class c = classify(
		    static_cast<std::uintptr_t>(seen.pcs[i]));
		if (c == frame_class::unknown) {
			unknown = true;
			break;
		}
		if (c != frame_class::plain)
			return i + 1;
	}
	return depth;
}

} // namespace

int
judge_running(const s9_record &seen, bool through_interrupt,
    const stack9_thread &td, stack9_record &rec) noexcept
{
	if (const int error = judge_identity(seen, td, rec); error != 0)
		return error;
	if (seen.bytes < 0)
		return judge_refusal(seen, rec);
	const auto depth = static_cast<std::uint32_t>(seen.bytes) / 8;
	bool unknown = false;
	const std::uint32_t first =
	    through_interrupt ? below_entry(seen, depth, unknown) : 0;
	if (unknown) {
		rec.reason = "kernel symbol names are hidden, and only they "
		    "tell the thread's frames from the interrupt's";
		return EPERM;
	}
	if (first >= depth)
		return in_user_mode(rec);
	const frame_class outermost = classify(
	    static_cast<std::uintptr_t>(seen.pcs[depth - 1]));
	if (outermost == frame_class::interrupt)
		return in_user_mode(rec);
	copy_frames(seen, first, rec);
	rec.flags |= STACK9_EXACT_FIRST;
	rec.state = 'R';
	if (outermost == frame_class::plain) {
		// It stood still while we looked: not torn, only short.
		rec.why = is_truncated(depth) ? STACK9_WHY_TRUNCATED :
		    STACK9_WHY_UNWIND;
		if (rec.why == STACK9_WHY_UNWIND)
			rec.reason = "the kernel's unwinder stopped at the "
			    "last frame";
	}
	return 0;
}

} // namespace stack9::bpf
