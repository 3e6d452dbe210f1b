// Walks copied stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk.h"

#include <memory>
#include <new>

#include "core/seam/stop_reason.h"
#include "core/seam/reader.h"
#include "core/seam/space.h"
#include "unwind/begin.h"
#include "unwind/passing.h"

#include "code.h"
#include "memory.h"

namespace stack9 {
namespace {

using remote::copied_memory;
using remote::remote_code;
using unwind::outcome;
using unwind::registers;
using unwind::walked;

class walker {
public:
	walker(stack9_space &space, const user_copy &copy, stack_record &rec)
	    noexcept
	    : space_(space), rec_(rec),
	      words_(space, copy, rec.thread.tid > 0 ? rec.thread :
	      space.thread()), code_(space, words_), from_(registers_of(copy))
	{
	}

	space_walk walk(std::uint64_t &wanted) noexcept;

private:
	static registers registers_of(const user_copy &) noexcept;
	void count_dropped() noexcept;
	bool is_outermost(std::uint32_t depth) noexcept;
	bool was_read(std::uint32_t depth) noexcept;
	bool lacks_code(std::uintptr_t pc) noexcept;
	bool is_probed(std::uint32_t depth) noexcept;

	stack9_space	&space_;
	stack_record	&rec_;
	copied_memory	words_;
	remote_code	code_;
	const registers	from_;
};

registers
walker::registers_of(const user_copy &copy) noexcept
{
	static_assert(unwind::register_count <= user_copy::register_max);
	registers r;
	for (int n = 0; n < unwind::register_count; n++)
		if ((copy.known >> n & 1) != 0)
			r.set(n, copy.value[static_cast<std::size_t>(n)]);
	r.exact = true;
	return r;
}

// Returns true if the last frame, one without unwind information, is the
// outermost one.  A frame whose pc is not in code does not count, because an
// overwritten stack leads there, too; nor one whose file could not be read.
bool
walker::is_outermost(std::uint32_t depth) noexcept
{
	process::place last;
	if (depth < 2 || !space_.find(rec_.pcs[depth - 1] - 1, last) ||
	    !last.where->executable || !was_read(depth))
		return false;
	registers now = from_;
	unwind::row r;
	unwind::passing without_info(code_, words_);
	for (std::uint32_t n = 1; n < depth; n++) {
		const unwind::found there = code_.row_of(now.lookup(), r);
		const outcome how = there == unwind::found::yes ?
		    unwind::full_step(r, words_, now) :
		    there == unwind::found::no ? outcome::no_info :
		    outcome::malformed;
		if (without_info.or_pass(how, now) != outcome::stepped)
			return false;
	}
	return now.knows(unwind::register_sp) &&
	    unwind::is_outermost(words_, now.pc(), now.sp(),
	    [this](std::uintptr_t pc) { return code_.is_start(pc); });
}

// Returns true if it is certain that the last frame has no unwind information.
bool
walker::was_read(std::uint32_t depth) noexcept
{
	return code_.was_read(rec_.pcs[depth - 1] - (depth > 1));
}

// Returns true if no code is known at the pc.  Memory that was reserved before
// may have become executable since.
bool
walker::lacks_code(std::uintptr_t pc) noexcept
{
	return process::could_be_code(pc) && !code_.covers(pc);
}

// Returns true if the last frame's return address is the kernel's trampoline,
// with which its mapping for probes begins.
bool
walker::is_probed(std::uint32_t depth) noexcept
{
	process::place at;
	const std::uintptr_t pc = rec_.pcs[depth - 1];
	return depth > 1 && space_.find(pc, at) && at.where->start == pc &&
	    at.where->path == "[uprobes]";
}

// Counts the frames by walking again, into a buffer that no walk can fill.
void
walker::count_dropped() noexcept
{
	const std::unique_ptr<std::uintptr_t[]> buffer(
	    new (std::nothrow) std::uintptr_t[unwind::frames_max]);
	if (buffer == nullptr)
		return;
	const walked all = unwind::walk_memory(code_, words_, from_,
	    buffer.get(), unwind::frames_max);
	if (all.depth > rec_.depth)
		rec_.dropped = all.depth - rec_.depth;
}

space_walk
walker::walk(std::uint64_t &wanted) noexcept
{
	if (rec_.max == 0)
		return space_walk::done;
	const walked w = unwind::walk_memory(code_, words_, from_, rec_.pcs,
	    rec_.max);
	const bool prefers = words_.prefers();
	remote::describe(w, w.how == outcome::no_info &&
	    is_outermost(w.depth), rec_);
	const bool wants = words_.wants();
	if (w.how == outcome::no_info && !was_read(w.depth))
		rec_.reason = file_unread;
	if (w.how == outcome::no_info && is_probed(w.depth)) {
		rec_.reason = return_probed;
		return space_walk::done;
	}
	if (w.how == outcome::limit)
		count_dropped();
	if (lacks_code(rec_.pcs[0]))
		return space_walk::wants_renewal;
	if (rec_.why == STACK9_WHY_NONE && prefers) {
		rec_.why = STACK9_WHY_MEMORY;
		rec_.reason = c_left_out;
	}
	if (rec_.why == STACK9_WHY_NONE || rec_.why == STACK9_WHY_TRUNCATED)
		return space_walk::done;
	if (lacks_code(rec_.pcs[rec_.depth - 1] - (rec_.depth > 1)) ||
	    (w.how == outcome::no_info && code_.lacks_code()))
		return space_walk::wants_renewal;
	if (!wants)
		return space_walk::done;
	wanted = words_.wanted();
	return space_walk::wants_more;
}

} // namespace

space_walk
walk_copy(stack9_space &space, const user_copy &copy, stack_record &rec,
    std::uint64_t &wanted) noexcept
{
	if (reader *const r = the_unwinder())
		return r->walk(space, copy, rec, wanted);
	return copy.what != user_copy::machine::native ?
	    remote::walk_other(space, copy, rec, wanted) :
	    walker(space, copy, rec).walk(wanted);
}

} // namespace stack9
