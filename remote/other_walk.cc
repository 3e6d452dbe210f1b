// Walks the stacks of programs for another CPU, and of 32-bit ones, by rows,
// and by guesses where there are none.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk.h"

#include <algorithm>
#include <array>

#include "arch/described.h"
#include "unwind/begin.h"

#include "code.h"
#include "memory.h"
#include "step_in_file.h"

namespace stack9::remote {
namespace {

using process::place;
using unwind::outcome;

template <class Cpu>
class other_walker {
public:
	other_walker(stack9_space &s, unwind::memory &words,
	    const user_copy &c) noexcept : space_(s), words_(words)
	{
		for (int n = 0; n < registers::count; n++)
			if ((c.known >> n & 1) != 0)
				now_.set(n, static_cast<word>(
				    c.value[static_cast<std::size_t>(n)]));
		now_.exact = true;
	}

	unwind::walked walk(std::uintptr_t *pcs, std::uint32_t max) noexcept;
	// Returns true if the walk ended at an address where nothing is mapped.
	bool astray() const noexcept;
	bool outermost(std::uint32_t depth) noexcept;

private:
	using word = typename Cpu::word;
	using registers = typename Cpu::registers;

	outcome step() noexcept;
	bool leave_handler() noexcept;
	bool guess() noexcept;
	bool is_likely() noexcept;
	bool undo_call() noexcept;
	bool follow_fp() noexcept;

	stack9_space	&space_;
	unwind::memory	&words_;
	registers	now_;
	bool		astray_ = false;
};

template <class Cpu>
outcome
other_walker<Cpu>::step() noexcept
{
	const word lookup = now_[Cpu::pc] - !now_.exact;
	place there;
	astray_ = !space_.find(lookup, there);
	if (!astray_ && there.backing != nullptr)
		if (const outcome how = step_in_file<Cpu>(*there.backing,
		    there.vaddr, words_, now_); how != outcome::no_info)
			return how;
	return leave_handler() ? outcome::stepped : outcome::no_info;
}

// Finds the registers that a signal's handler gives back, where it returns to
// code without unwind information.
template <class Cpu>
bool
other_walker<Cpu>::leave_handler() noexcept
{
	constexpr std::size_t size = Cpu::trampoline.size();
	std::array<std::uint8_t, size> code;
	registers interrupted;
	if (size == 0 || !now_.knows(Cpu::sp) ||
	    !words_.read(now_[Cpu::pc], code.data(), size) ||
	    code != Cpu::trampoline)
		return false;
	for (int n = 0; n < registers::count; n++) {
		word w;
		if (words_.read(now_[Cpu::sp] + Cpu::signal_slot(n), &w,
		    sizeof w))
			interrupted.set(n, w);
	}
	if (!interrupted.knows(Cpu::pc))
		return false;
	now_ = interrupted;
	now_.exact = true;
	return true;
}

// Undoes a call that led nowhere: one through NULL, for example.
template <class Cpu>
bool
other_walker<Cpu>::undo_call() noexcept
{
	const word at = now_[Cpu::sp];
	word pc;
	if constexpr (Cpu::calls_push) {
		if (!words_.read(at, &pc, sizeof pc))
			return false;
	} else {
		if (!now_.knows(Cpu::lr))
			return false;
		pc = Cpu::strip(now_[Cpu::lr]);
	}
	if (!Cpu::behind_call(words_, pc))
		return false;
	if constexpr (Cpu::calls_push)
		now_.set(Cpu::sp, at + sizeof pc);
	now_.set(Cpu::pc, pc);
	now_.exact = false;
	return true;
}

// If the pair is at the bottom of its frame, nothing says where the frame ends.
template <class Cpu>
bool
other_walker<Cpu>::follow_fp() noexcept
{
	const word fp = now_[Cpu::fp];
	word saved[2];
	if (!now_.knows(Cpu::fp) || fp % sizeof fp != 0 ||
	    (now_.knows(Cpu::sp) && fp < now_[Cpu::sp]) ||
	    !words_.read(fp, saved, sizeof saved))
		return false;
	saved[1] = Cpu::strip(saved[1]);
	if (!Cpu::behind_call(words_, saved[1]))
		return false;
	registers caller;
	caller.set(Cpu::fp, saved[0]);
	if (Cpu::pair_ends_frame)
		caller.set(Cpu::sp, fp + sizeof saved);
	caller.set(Cpu::pc, saved[1]);
	now_ = caller;
	return true;
}

// Checks the caller of a frame that was left by its frame pointer.  Such a
// frame may have been aligned, as main() is on 32-bit x86.  sp is then too low
// for the outer frames that are found by sp.
template <class Cpu>
bool
other_walker<Cpu>::is_likely() noexcept
{
	return now_.exact || Cpu::behind_call(words_, now_[Cpu::pc]);
}

// Does what unwind/guess.h does for the words of the other CPU.
template <class Cpu>
bool
other_walker<Cpu>::guess() noexcept
{
	if (astray_ && now_.exact)
		return now_.knows(Cpu::sp) && undo_call();
	return (now_.knows(Cpu::sp) || !Cpu::pair_ends_frame) &&
	    is_likely() && follow_fp();
}

// A guess may leave sp unknown, and then the frames outside of it are found by
// their frame pointers, too.
template <class Cpu>
unwind::walked
other_walker<Cpu>::walk(std::uintptr_t *pcs, std::uint32_t max) noexcept
{
	unwind::walked w;
	max = std::min(max, unwind::frames_max);
	while (w.how == outcome::stepped && w.depth < max) {
		pcs[w.depth++] = now_[Cpu::pc];
		w.how = step();
		if ((w.how == outcome::no_info ||
		    (w.how == outcome::no_register && w.guessed)) && guess()) {
			w.guessed = true;
			w.how = outcome::stepped;
		}
		if (w.how == outcome::stepped && w.guessed && !is_likely())
			w.how = outcome::malformed;
	}
	if (w.how == outcome::zero && is_stack_end(space_, now_[Cpu::sp]))
		w.how = outcome::end;
	if (w.how == outcome::stepped) {
		w.how = outcome::limit;
		w.dropped = 1;	// at least
	}
	return w;
}

// By the ABIs a process and its threads begin with a frame pointer of 0.  So a
// frame that has 0 there, and no caller, is the outermost one if its code has
// cleared the register (unwind/begin.h).
template <class Cpu>
bool
other_walker<Cpu>::outermost(std::uint32_t depth) noexcept
{
	place last;
	const word pc = now_[Cpu::pc];
	if (depth < 2 || astray_ || !now_.knows(Cpu::fp) ||
	    now_[Cpu::fp] != 0 || !space_.find(pc - 1, last))
		return false;
	if (last.backing == nullptr && last.where->inode != 0 &&
	    !process::is_of_no_file(*last.where))
		return false;
	return Cpu::behind_call(words_, pc) && ((last.backing != nullptr &&
	    unwind::is_behind_entry(last.vaddr + 1, last.backing->entry())) ||
	    Cpu::begins_stack(words_, pc));
}

// A call through NULL leads to an address that is never mapped.
template <class Cpu>
bool
other_walker<Cpu>::astray() const noexcept
{
	constexpr std::uint32_t lowest = 1 << 16;
	return astray_ && now_[Cpu::pc] >= lowest;
}

template <class Cpu>
space_walk
walk_by(stack9_space &space, const user_copy &copy, stack_record &rec,
    std::uint64_t &wanted) noexcept
{
	copied_memory words(space, copy, rec.thread.tid > 0 ? rec.thread :
	    space.thread());
	other_walker<Cpu> w(space, words, copy);
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

} // namespace

space_walk
walk_other(stack9_space &space, const user_copy &copy, stack_record &rec,
    std::uint64_t &wanted) noexcept
{
	if (rec.max == 0)
		return space_walk::done;
	switch (copy.what) {
	case user_copy::machine::ia32:
		return walk_by<arch::ia32>(space, copy, rec, wanted);
	case user_copy::machine::aarch64:
		return walk_by<arch::aarch64>(space, copy, rec, wanted);
	default:
		return walk_by<arch::x86_64>(space, copy, rec, wanted);
	}
}

} // namespace stack9::remote
