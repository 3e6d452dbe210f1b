// Walks a 32-bit program's stack by rows, and by guesses where there are none.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk.h"

#include <algorithm>

#include "unwind/begin.h"

#include "code.h"
#include "ia32_cfi.h"
#include "memory.h"

namespace stack9::remote {
namespace {

using process::place;
using unwind::outcome;

constexpr std::uint32_t word_size = sizeof(std::uint32_t);

class walker {
public:
	walker(stack9_space &s, unwind::memory &words, const user_copy &c)
	    noexcept : space_(s), words_(words)
	{
		for (int n = 0; n < ia32_registers::count; n++)
			if ((c.known >> n & 1) != 0)
				now_.set(n, static_cast<std::uint32_t>(
				    c.value[static_cast<std::size_t>(n)]));
		now_.exact = true;
	}

	unwind::walked walk(std::uintptr_t *pcs, std::uint32_t max) noexcept;
	// Returns true if the walk ended at an address where nothing is mapped.
	bool astray() const noexcept;
	bool outermost(std::uint32_t depth) noexcept;

private:
	outcome step() noexcept;
	bool guess() noexcept;
	bool is_likely() noexcept;
	bool undo_call() noexcept;
	bool follow_fp() noexcept;

	stack9_space	&space_;
	unwind::memory	&words_;
	ia32_registers	now_;
	bool		astray_ = false;
};

outcome
walker::step() noexcept
{
	const std::uint32_t lookup = now_[ia32_registers::pc] - !now_.exact;
	place there;
	astray_ = !space_.find(lookup, there);
	if (astray_ || there.backing == nullptr)
		return outcome::no_info;
	return ia32_step(*there.backing, there.vaddr, words_, now_);
}

// Undoes a call that led nowhere: one through NULL, for example.
bool
walker::undo_call() noexcept
{
	const std::uint32_t at = now_[ia32_registers::sp];
	std::uint32_t pc;
	if (!words_.read(at, &pc, sizeof pc) ||
	    !unwind::behind_call(words_, pc))
		return false;
	now_.set(ia32_registers::sp, at + word_size);
	now_.set(ia32_registers::pc, pc);
	now_.exact = false;
	return true;
}

bool
walker::follow_fp() noexcept
{
	const std::uint32_t fp = now_[ia32_registers::fp];
	std::uint32_t saved[2];
	if (!now_.knows(ia32_registers::fp) || fp % word_size != 0 ||
	    fp < now_[ia32_registers::sp] ||
	    !words_.read(fp, saved, sizeof saved) ||
	    !unwind::behind_call(words_, saved[1]))
		return false;
	ia32_registers caller;
	caller.set(ia32_registers::fp, saved[0]);
	caller.set(ia32_registers::sp, fp + sizeof saved);
	caller.set(ia32_registers::pc, saved[1]);
	now_ = caller;
	return true;
}

// Checks the caller of a frame that was left by its frame pointer.  Such a
// frame may have been aligned, as main() is on this CPU.  sp is then too low
// for the outer frames that are found by sp.
bool
walker::is_likely() noexcept
{
	return now_.exact ||
	    unwind::behind_call(words_, now_[ia32_registers::pc]);
}

// Does what unwind/guess.h does for the words of the other CPU.
bool
walker::guess() noexcept
{
	if (!now_.knows(ia32_registers::sp))
		return false;
	if (astray_ && now_.exact)
		return undo_call();
	return (now_.exact || unwind::behind_call(words_,
	    now_[ia32_registers::pc])) && follow_fp();
}

unwind::walked
walker::walk(std::uintptr_t *pcs, std::uint32_t max) noexcept
{
	unwind::walked w;
	max = std::min(max, unwind::frames_max);
	while (w.how == outcome::stepped && w.depth < max) {
		pcs[w.depth++] = now_[ia32_registers::pc];
		w.how = step();
		if (w.how == outcome::no_info && guess()) {
			w.guessed = true;
			w.how = outcome::stepped;
		}
		if (w.how == outcome::stepped && w.guessed && !is_likely())
			w.how = outcome::malformed;
	}
	if (w.how == outcome::zero &&
	    is_stack_end(space_, now_[ia32_registers::sp]))
		w.how = outcome::end;
	if (w.how == outcome::stepped) {
		w.how = outcome::limit;
		w.dropped = 1;	// at least
	}
	return w;
}

// By the psABI a process and its threads begin with a frame pointer of 0.  So a
// frame that has 0 there, and no caller, is the outermost one if its code has
// cleared the register (unwind/begin.h).
bool
walker::outermost(std::uint32_t depth) noexcept
{
	place last;
	const std::uint32_t pc = now_[ia32_registers::pc];
	return depth > 1 && !astray_ && now_.knows(ia32_registers::fp) &&
	    now_[ia32_registers::fp] == 0 && space_.find(pc - 1, last) &&
	    (last.backing != nullptr || last.where->inode == 0 ||
	    process::is_of_no_file(*last.where)) &&
	    unwind::is_root(words_, pc, [&last](std::uintptr_t) {
		return last.backing != nullptr && unwind::is_behind_entry(
		    last.vaddr + 1, last.backing->entry());
	    });
}

// A call through NULL leads to an address that is never mapped.
bool
walker::astray() const noexcept
{
	constexpr std::uint32_t lowest = 1 << 16;
	return astray_ && now_[ia32_registers::pc] >= lowest;
}

} // namespace

space_walk
walk_ia32(stack9_space &space, const user_copy &copy, stack_record &rec,
    std::uint64_t &wanted) noexcept
{
	if (rec.max == 0)
		return space_walk::done;
	copied_memory words(space, copy, rec.thread.tid > 0 ? rec.thread :
	    space.thread());
	walker w(space, words, copy);
	const unwind::walked all = w.walk(rec.pcs, rec.max);
	describe(all, w.outermost(all.depth), rec);
	if (rec.why == STACK9_WHY_NONE || rec.why == STACK9_WHY_TRUNCATED)
		return space_walk::done;
	if (w.astray())
		return space_walk::wants_renewal;
	if (!words.wants())
		return space_walk::done;
	wanted = words.wanted();
	return space_walk::wants_more;
}

} // namespace stack9::remote
