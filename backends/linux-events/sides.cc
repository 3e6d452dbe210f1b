// Makes the records of both sides.  The kernel side is without the frames of
// the event itself; the user side is by frame pointers, or unwound from a copy.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sides.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "arch/cpu.h"
#include "core/seam/space.h"
#include "os/linux/proc_error.h"

#include "bpf/frame_class.h"
#include "bpf/validate_user.h"

namespace stack9::events {
namespace {

using bpf::frame_class;

// Says in the record why the kernel gave no frames.
void
refuse(stack_record &rec, int error) noexcept
{
	rec.error = error;
	if (error == EOPNOTSUPP) {
		rec.why = STACK9_WHY_KTHREAD;
		return;
	}
	rec.why = STACK9_WHY_REFUSED;
	rec.reason = "the kernel gave no stack";
}

// Says why there is no space, without which a copy cannot be unwound.
// EOPNOTSUPP: nobody here has a number for its process.
void
refuse_without_space(stack_record &rec, int error) noexcept
{
	rec.error = error;
	switch (error) {
	case EOPNOTSUPP:
		rec.why = STACK9_WHY_MACHINE;
		rec.reason = has_proc() ? "its process is outside of this "
		    "pid namespace" : no_proc;
		return;
	case ESRCH:
		rec.why = STACK9_WHY_GONE;
		rec.reason = "its process could not be looked at before it "
		    "ended";
		return;
	case EPERM:
	case EACCES:
		rec.why = STACK9_WHY_RIGHTS;
		rec.reason = "its mappings, /proc/TID/maps, cannot be read: "
		    "needs CAP_SYS_PTRACE, or to be its user";
		return;
	}
	rec.why = STACK9_WHY_RESOURCE;
	rec.reason = "its mappings could not be read just now";
}

// Without mappings nothing can be unwound, but where the thread was is known.
void
keep_pc(const user_copy &copy, stack_record &rec) noexcept
{
	constexpr int ia32_pc = 8;
	rec.pcs[0] = copy.value[static_cast<std::size_t>(
	    copy.what == user_copy::machine::ia32 ? ia32_pc :
	    unwind::register_pc)];
	rec.depth = 1;
	rec.error = 0;
	rec.flags = STACK9_STACK_EXACT;
}

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
		    "tell whether the last frame is the outermost";
}

} // namespace

sides::sides(const stack_form &form)
    : form_(form), kernel_pcs_(form.frames),
      user_pcs_(std::max(form.frames, form.unwound))
{
}

void
sides::begin(stack_record &rec, stack9_side side,
    std::vector<std::uintptr_t> &buffer) noexcept
{
	rec = {};
	rec.side = side;
	rec.route = "events";
	rec.cpu = -1;
	rec.state = '?';
	rec.pcs = buffer.data();
	rec.max = static_cast<std::uint32_t>(buffer.size());
}

void
sides::set_kernel(const s9_stacks &s, const __u64 *pcs) noexcept
{
	begin(kernel_, STACK9_KERNEL, kernel_pcs_);
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
	begin(user_, STACK9_USER, user_pcs_);
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
sides::set_user(const s9_event_copy &c, stack_parts &parts, seen_process *whose)
    noexcept
{
	begin(user_, STACK9_USER, user_pcs_);
	if (c.user.flags & S9_USER_NONE) {
		user_.thread = thread_of(c.head);
		refuse(user_, EOPNOTSUPP);
		return;
	}
	copy_.clear();
	const bool has_registers = bpf::read_registers(c.user, copy_);
	if (whose == nullptr || whose->space == nullptr) {
		refuse_without_space(user_, whose == nullptr ? ESRCH :
		    c.head.pid == 0 ? EOPNOTSUPP : whose->error);
		if (user_.error == ESRCH && has_registers)
			keep_pc(copy_, user_);
		return;
	}
	user_.space = whose->space;
	user_.thread = thread_of(c.head);
	user_.max = form_.unwound;
	if (!has_registers || !parts.join(c, copy_.stack)) {
		user_.error = EFAULT;
		user_.why = STACK9_WHY_MEMORY;
		return;
	}
	copy_.stack.more = (c.user.flags & S9_USER_MORE) != 0;
	walk_and_extend(user_.space, copy_, user_,
	    [](stack9_space *s) { return space_renew(*s) == 0; },
	    [](std::uint64_t) { return ENODATA; });
	if (user_.depth == 0) {
		user_.error = EFAULT;
		return;
	}
	if (copy_.stack.more && user_.why == STACK9_WHY_MEMORY) {
		user_.why = STACK9_WHY_TRUNCATED;
		user_.reason = "more of its stack was in use than is copied";
	}
}

void
sides::set_user(const stack_record &from)
{
	begin(user_, STACK9_USER, user_pcs_);
	const std::uint32_t depth = std::min(from.depth, user_.max);
	std::copy(from.pcs, from.pcs + depth, user_pcs_.data());
	stack_record all = from;
	all.pcs = user_.pcs;
	all.max = user_.max;
	all.depth = depth;
	user_ = all;
}

} // namespace stack9::events
