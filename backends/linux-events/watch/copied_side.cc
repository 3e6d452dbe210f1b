// Prepares copies for a walk, and says how the walk ended.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "copied_side.h"

#include <algorithm>
#include <cerrno>
#include <new>

#include "arch/cpu.h"
#include "bpf/validate_user.h"
#include "core/seam/extend_copy.h"
#include "os/proc_error.h"
#include "os/thread_memory.h"

namespace stack9::events {
namespace {

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

} // namespace

// Says in the record why the kernel gave no frames.
void
refuse(stack_record &rec, int error) noexcept
{
	rec.error = error;
	if (error == EOPNOTSUPP || error == ESRCH) {
		rec.why = error == ESRCH ? STACK9_WHY_EXITING :
		    STACK9_WHY_KTHREAD;
		return;
	}
	if (error == EPERM) {
		rec.why = STACK9_WHY_RIGHTS;
		rec.reason = "needs CAP_PERFMON";
		return;
	}
	rec.why = STACK9_WHY_REFUSED;
	rec.reason = "the kernel gave no stack";
}

stack_record
blank_record(stack9_side side, std::vector<std::uintptr_t> &buffer) noexcept
{
	stack_record rec{};
	rec.side = side;
	rec.route = "events";
	rec.cpu = -1;
	rec.state = '?';
	rec.pcs = buffer.data();
	rec.max = static_cast<std::uint32_t>(buffer.size());
	return rec;
}

bool
copied_side::take(const s9_event_copy &c, stack_parts &parts,
    processes &all, seen_process *whose) noexcept
{
	all_ = &all;
	whose_ = whose;
	when_ns_ = c.head.when_ns;
	rec_ = blank_record(STACK9_USER, pcs_);
	std::vector<std::uintptr_t>().swap(deep_);
	copy_.clear();
	if (c.user.flags & S9_USER_NONE) {
		rec_.thread = thread_of(c.head);
		refuse(rec_, EOPNOTSUPP);
		return false;
	}
	const bool has_registers = bpf::read_registers(c.user, copy_);
	if (whose == nullptr || whose->space == nullptr) {
		refuse_without_space(rec_, whose == nullptr ? ESRCH :
		    c.head.pid == 0 ? EOPNOTSUPP : whose->error);
		if (rec_.error == ESRCH && has_registers)
			keep_pc(copy_, rec_);
		return false;
	}
	rec_.space = whose->space;
	rec_.thread = thread_of(c.head);
	if (!has_registers || !parts.join(c, copy_)) {
		rec_.error = EFAULT;
		rec_.why = STACK9_WHY_MEMORY;
		return false;
	}
	if (whose->is_written) {
		rec_.space = nullptr;
		keep_pc(copy_, rec_);
		rec_.why = STACK9_WHY_UNWIND;
		rec_.reason = "a file of its code was being written over";
		return false;
	}
	copy_.stack.more = (c.user.flags & S9_USER_MORE) != 0;
	return true;
}

// There is no more memory than was copied.
void
copied_side::walk_once() noexcept
{
	std::uint64_t wanted;
	space_walk how = walk_copy(*rec_.space, copy_, rec_, wanted);
	for (const bool by_log : {false, true}) {
		if (how != space_walk::wants_renewal)
			return;
		if (stack9_space *const newer = all_->renewed(*whose_,
		    when_ns_, by_log)) {
			rec_.space = newer;
			how = walk_copy(*newer, copy_, rec_, wanted);
		}
	}
}

void
copied_side::walk(std::uint32_t most) noexcept
{
	walk_once();
	complete(most);
}

void
copied_side::end(space_walk how, std::uint32_t most) noexcept
{
	if (how == space_walk::wants_renewal)
		walk(most);
	else
		complete(most);
}

// Makes room for the frames that the last walk has counted, once they are more
// than there was room for.  False: they are not, or there is no more room.
bool
copied_side::make_room(std::uint32_t most) noexcept
try {
	if (rec_.why != STACK9_WHY_TRUNCATED || rec_.dropped == 0 ||
	    rec_.max >= most)
		return false;
	const std::uint32_t counted = rec_.depth + rec_.dropped;
	deep_.resize(std::min(most, std::max(counted, 2 * rec_.max)));
	rec_.pcs = deep_.data();
	rec_.max = static_cast<std::uint32_t>(deep_.size());
	rec_.dropped = 0;
	return true;
} catch (const std::bad_alloc &) {
	return false;
}

// Most stacks have fewer frames than there is room for, so the others are
// walked again.  Rejected: room for the deepest from the beginning, as each
// walk that the reader makes takes as much of the memory that it shares.
void
copied_side::complete(std::uint32_t most) noexcept
{
	while (make_room(most))
		walk_once();
	if (rec_.depth == 0) {
		rec_.error = EFAULT;
		return;
	}
	if (copy_.stack.more && rec_.why == STACK9_WHY_MEMORY) {
		rec_.why = STACK9_WHY_TRUNCATED;
		rec_.reason = "more of its stack was in use than is copied";
	}
}

// Ruby has an array of 1 MiB on the stack of each thread, between the outermost
// frames and the others.  Pages that were never touched are not read, and no
// more than 4 MiB at a time: the process may be a stranger's.
bool
copied_side::walk_beyond(std::vector<std::uintptr_t> &pcs, stack_record &rec)
    noexcept
{
	constexpr std::size_t first = 16 << 10, most = 4 << 20;
	thread_memory now(rec_.thread.tid, rec_.thread.start);
	copy_.stack.more = true;
	rec = blank_record(STACK9_USER, pcs);
	rec.thread = rec_.thread;
	rec.space = rec_.space;
	const auto fetch = [&](std::uint64_t from, std::byte *to,
	    std::size_t size) noexcept {
		const ssize_t n = size > most ? -1 :
		    now.read_present(from, to, size);
		return n <= 0 ? fetched{EFAULT, 0, false} : fetched{0,
		    static_cast<std::size_t>(n),
		    n == static_cast<ssize_t>(size)};
	};
	const int error = walk_and_extend(rec_.space, copy_, rec,
	    [](stack9_space *) { return false; },
	    [&](std::uint64_t wanted) noexcept {
		return fetch_more(copy_, wanted, unwind::red_zone, first,
		    fetch);
	});
	return (error == 0 || error == EFAULT) && rec.depth > rec_.depth;
}

} // namespace stack9::events
