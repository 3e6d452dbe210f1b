// Joins the pieces of a stack and validates them as any other capture.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "deliver.h"

#include <algorithm>
#include <cstring>

#include "bpf/validate_running.h"
#include "bpf/validate_user.h"

namespace stack9::bpf {
namespace {

// Appends the bytes that did not fit into the slot.
int
append_pieces(const slot_memory &table, const s9_async_slot &s,
    async_sides &to) noexcept
{
	byte_buffer &bytes = to.copy.stack.bytes;
	std::size_t had = bytes.size();
	if (!bytes.resize(std::min(s.h.user.bytes, s9_most_of_stack))) {
		to.user->why = STACK9_WHY_RESOURCE;
		to.user->reason = "no memory for a copy of its stack";
		return ENOMEM;
	}
	for (std::uint32_t i = 0; had < bytes.size(); i++) {
		const auto piece = table.piece(s, i);
		const std::size_t more = std::min(piece.size(),
		    bytes.size() - had);
		if (more == 0)
			break;
		std::memcpy(bytes.data() + had, piece.data(), more);
		had += more;
	}
	bytes.resize(had);
	return 0;
}

// An execve(2) of another thread may have given this one's tid to that thread.
int
why_none(const s9_async_slot &s, const s9_record &who, const stack9_thread &td,
    stack_record &rec) noexcept
{
	if (validate_identity(who, td, rec) == 0)
		rec.why = s.h.error == ESRCH ? STACK9_WHY_EXITING :
		    STACK9_WHY_KTHREAD;
	return s.h.error;
}

// The numbers are the programs', and believed as far as the slot reaches.
int
deliver_walk(const s9_async_slot &s, const s9_record &who,
    const stack9_thread &td, async_sides &to) noexcept
{
	stack_record &rec = *to.user;
	if (const int error = validate_identity(who, td, rec); error != 0)
		return error;
	const auto *const pcs = reinterpret_cast<const __u64 *>(s.stack);
	const std::uint32_t n = std::min<std::uint32_t>(s.h.walked,
	    S9_WALK_FRAMES);
	rec.state = 'R';
	rec.depth = std::min(n, rec.max);
	std::copy(pcs, pcs + rec.depth, rec.pcs);
	rec.flags |= STACK9_STACK_EXACT;
	if (s.h.guessed)
		rec.flags |= STACK9_STACK_GUESSED;
	if (rec.depth < n)
		rec.why = STACK9_WHY_TRUNCATED;
	to.walked = true;
	return 0;
}

int
deliver_user_side(const slot_memory &table, const s9_async_slot &s,
    const stack9_thread &td, async_sides &to) noexcept
{
	to.user->route = "task-work";
	s9_record who;
	// A thread that never ran its work has only the sample of its
	// submission.
	std::memcpy(&who, s.h.began_ns != 0 ? s.h.who :
	    reinterpret_cast<const char *>(&s.h.k), S9_RECORD_HEAD);
	if (s.h.error != 0)
		return why_none(s, who, td, *to.user);
	if (s.h.walked != 0)
		return deliver_walk(s, who, td, to);
	s9_user user = s.h.user;
	user.bytes = std::min<__u32>(user.bytes, sizeof s.stack);
	const int error = validate_user_running({who, user, s.stack}, td,
	    *to.user, to.copy);
	// There is no second try.
	if (error == EAGAIN && to.user->why == STACK9_WHY_MEMORY)
		return EFAULT;
	if (error != 0)
		return error;
	to.copied = true;
	to.publishes = s.h.by_event && s.h.walk >= S9_WALK_NEW_PROCESS;
	to.scant = (s.h.user.flags & S9_USER_SCANT) != 0;
	return append_pieces(table, s, to);
}

} // namespace

stack9_thread
thread_in(const s9_async_slot &s) noexcept
{
	return {s.h.k.tid, s.h.k.pid, start_ticks(s.h.k)};
}

int
deliver_user(const slot_memory &table, const s9_async_slot &s,
    const stack9_thread &td, async_sides &to) noexcept
{
	to.user->thread = td;
	if (!(s.h.sides & STACK9_USER)) {
		to.user->reason = "this side was not asked for";
		return EINVAL;
	}
	return deliver_user_side(table, s, td, to);
}

void
deliver_kernel(const s9_async_slot &s, const stack9_thread &td,
    const kept_record &submitted, stack_record &rec) noexcept
{
	const bool asked_for = (s.h.sides & STACK9_KERNEL) != 0;
	if (!s.h.by_event || !asked_for) {
		copy_side(submitted, asked_for, rec);
		return;
	}
	rec.route = "task-work";
	rec.error = validate_running(s.h.k, sample_origin::at_event, td, rec);
}

int
deliver_nothing_yet(const stack9_thread &td, stack_record *user) noexcept
{
	if (user != nullptr) {
		user->thread = td;
		user->route = "task-work";
		user->why = STACK9_WHY_AWAY;
	}
	return EAGAIN;
}

} // namespace stack9::bpf
