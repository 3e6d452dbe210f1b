// Makes the records of both sides.  The kernel side is without the frames of
// the event itself; the user side is by frame pointers, or was unwound before.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sides.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bpf/frame_class.h"

#include "copied_side.h"

namespace stack9::events {
namespace {

using bpf::frame_class;

// The number of frames of tracepoints and programs, with which a stack begins.
std::uint32_t
below_tracing(const __u64 *pcs, std::uint32_t n) noexcept
{
	std::uint32_t i = 0;
	while (i < n && bpf::classify(static_cast<std::uintptr_t>(pcs[i])) ==
	    frame_class::tracing)
		i++;
	return i;
}

void
describe_end(stack_record &rec, bool full) noexcept
{
	if (full) {
		rec.why = STACK9_WHY_TRUNCATED;
		rec.reason = "deeper than was asked for, or than "
		    "kernel.perf_event_max_stack";
		return;
	}
	const frame_class last = bpf::classify(rec.pcs[rec.depth - 1]);
	if (last == frame_class::entry || last == frame_class::interrupt)
		return;
	rec.why = STACK9_WHY_UNWIND;
	if (last == frame_class::unknown)
		rec.reason = "kernel symbol names are hidden, and only they "
		    "show whether the last frame is the outermost";
}

} // namespace

sides::sides(const stack_form &form)
    : form_(form), kernel_pcs_(form.frames),
      user_pcs_(std::max(form.frames, form.unwound))
{
}

void
sides::set_kernel(const s9_stacks &s, const __u64 *pcs) noexcept
{
	kernel_ = blank_record(STACK9_KERNEL, kernel_pcs_);
	if (s.kernel_error != 0) {
		refuse(kernel_, -s.kernel_error);
		return;
	}
	const std::uint32_t n = std::min<std::uint32_t>(s.kernel, kernel_.max);
	const std::uint32_t from = below_tracing(pcs, n);
	if (from == n) {
		kernel_.error = EAGAIN;
		kernel_.why = STACK9_WHY_USER_MODE;
		return;
	}
	std::copy(pcs + from, pcs + n, kernel_.pcs);
	kernel_.depth = n - from;
	if (from == 0 && form_.exact)
		kernel_.flags |= STACK9_STACK_EXACT;
	describe_end(kernel_, n >= form_.frames);
}

void
sides::set_user(const s9_stacks &s, const __u64 *pcs, seen_process *whose)
    noexcept
{
	user_ = blank_record(STACK9_USER, user_pcs_);
	if (whose != nullptr)
		user_.space = whose->space;
	if (s.user_error != 0 || s.user == 0) {
		refuse(user_, s.user_error != 0 ? -s.user_error : EFAULT);
		return;
	}
	user_.depth = std::min<std::uint32_t>(s.user, user_.max);
	std::copy(pcs, pcs + user_.depth, user_.pcs);
	user_.flags = STACK9_STACK_EXACT | STACK9_STACK_GUESSED;
	if (s.user >= form_.frames) {
		user_.why = STACK9_WHY_TRUNCATED;
		user_.reason = "deeper than was asked for, or than "
		    "kernel.perf_event_max_stack";
	}
}

void
sides::set_user(const stack_record &from)
{
	if (from.depth > user_pcs_.size())
		user_pcs_.resize(from.depth);
	user_ = blank_record(STACK9_USER, user_pcs_);
	const std::uint32_t depth = std::min(from.depth, user_.max);
	std::copy(from.pcs, from.pcs + depth, user_pcs_.data());
	stack_record all = from;
	all.pcs = user_.pcs;
	all.max = user_.max;
	all.depth = depth;
	user_ = all;
}

} // namespace stack9::events
