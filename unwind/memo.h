// Remembers the last capture of a thread, frame by frame, for the next walk.
//
// The memo is exact, not a guess.  The place of a frame's caller is a function
// of the frame's pc, its sp, its fp if the rule has the CFA in fp, and the
// words that the rule reads.  A walk enters the memo only at a frame whose pc
// and sp are its own, so the next slot is the one that the plain walk would
// read, too.  The word in the slot is read now, and compared.  If it is the
// remembered word, the walk is at the next remembered frame, with the same pc
// and the same sp, and so on.  The first word that differs ends this, and the
// plain walk goes on from the frame before.  fp is not remembered by its value
// but by its address (fp_at), and is read at a frame that needs it; changes
// that inner frames made to it matter no sooner.  So nothing is read that the
// plain walk would not read, nothing is used that was not read in this capture,
// and rules enter only by their pcs, whose generation (generation.h) is
// compared first.
//
// The memo saves waiting: the addresses are known before the words are, so that
// the processor reads many words at once.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "step_special.h"

namespace stack9::unwind {

// &never stands for a place that holds no pc: the word read there equals no
// remembered word.
inline constexpr std::uintptr_t never_word = 1;
extern const std::uintptr_t never;

struct remembered {
	const std::uintptr_t *at;	// where raw was read; &never if the
					// step to here was not by sp
	std::uintptr_t	 raw;		// the word; 0: not to be entered
	std::uint64_t	 fp_at_;	// | (sp - slot) / 8 << 48
	std::uint64_t	 sp_;		// | (CFA - fp) / 8 << 48; 0: the step
					// was not by fp; signal_: a signal
					// came here

	static constexpr std::uint64_t low = (std::uint64_t{1} << 48) - 1;
	static constexpr std::uint64_t signal_ = 0xffff;	// no rule's CFA

	// A frame further out than any other.
	static constexpr remembered
	sentinel() noexcept
	{
		return {&never, 0, 0, low};
	}

	std::uintptr_t sp() const noexcept { return sp_ & low; }
	std::uintptr_t cfa_from_fp() const noexcept { return sp_ >> 48 << 3; }
	bool by_signal() const noexcept { return sp_ >> 48 == signal_; }
	// One comparison: neither 0 nor signal_.
	bool by_fp() const noexcept { return (sp_ >> 48) - 1 < signal_ - 1; }
	const std::uintptr_t *
	fp_at() const noexcept
	{
		return reinterpret_cast<const std::uintptr_t *>(fp_at_ & low);
	}
	const std::uintptr_t *
	slot() const noexcept
	{
		return reinterpret_cast<const std::uintptr_t *>(
		    sp() - (fp_at_ >> 48 << 3));
	}
	// Notes that the step to here was by sp and read its word at where.
	void
	step(std::uintptr_t where, std::uintptr_t word, std::uintptr_t sp,
	    const std::uintptr_t *fp) noexcept
	{
		at = reinterpret_cast<const std::uintptr_t *>(where);
		raw = word;
		fp_at_ = reinterpret_cast<std::uintptr_t>(fp) |
		    (sp - where) / 8 << 48;
		sp_ = sp;
	}
	// Corrects that: the step was by fp.
	void
	was_by_fp(std::uintptr_t cfa_from_fp) noexcept
	{
		sp_ |= cfa_from_fp / 8 << 48;
		bar();
	}
	// Notes the frame that a signal interrupted; the one before it is the
	// signal's.
	void
	interrupted(std::uintptr_t pc, std::uintptr_t sp,
	    const std::uintptr_t *fp) noexcept
	{
		mark(pc, sp | signal_ << 48, fp);
	}
	// Notes a frame where the memo can be entered but not passed.  word 0:
	// it cannot be entered, either.
	void
	mark(std::uintptr_t word, std::uintptr_t sp, const std::uintptr_t *fp)
	    noexcept
	{
		raw = word;
		fp_at_ = reinterpret_cast<std::uintptr_t>(fp);
		sp_ = sp;
		bar();
	}
	void
	bar() noexcept
	{
		at = &never;
		raw = raw == never_word ? 0 : raw;
	}

	void
	fp_is_at(const std::uintptr_t *p) noexcept
	{
		fp_at_ = (fp_at_ & ~low) | reinterpret_cast<std::uintptr_t>(p);
	}
};
static_assert(sizeof(remembered) == 32);

// The frames follow it in memory; memo_of has both.
class memo {
public:
	std::uint16_t	generation = 0;
	bool		whole = false;	// the last frame is the outermost
	std::uint32_t	start = 0;	// the innermost frame
	std::uint32_t	end = 0;	// after the outermost
	range		on;		// the stack of all frames; empty: home

	remembered *
	frames() noexcept
	{
		return reinterpret_cast<remembered *>(this + 1);
	}
	const remembered *
	frames() const noexcept
	{
		return reinterpret_cast<const remembered *>(this + 1);
	}

	void
	forget() noexcept
	{
		whole = false;
		start = 0;
		ends_at(0);
	}

	// Makes it as if there had been no capture, with so many places after
	// it.
	void
	restart(std::uint32_t capacity, range stack) noexcept
	{
		capacity_ = capacity;
		on = stack;
		forget();
		generation = 0;
		useless_ = pause_ = 0;
		slack_ = 16;
	}

	// Returns true if this walk may write it.
	bool writes() const noexcept { return pause_ == 0; }
	// Notes whether a walk found much of the last capture again.
	void
	reused(bool much) noexcept
	{
		if (!much || useless_ != 0)
			note(much);
	}

	// Returns true if its innermost frame is the one where a walk begins.
	bool
	begins_at(std::uintptr_t pc, std::uintptr_t sp,
	    const std::uintptr_t *fp) const noexcept
	{
		const remembered &first = frames()[start];
		return start != end && first.raw == pc && first.sp() == sp &&
		    first.fp_at() == fp;
	}

	// The place for frames of this walk; they may become part of it.
	remembered *fresh() noexcept { return frames() + end + 1; }
	const remembered *
	behind() const noexcept
	{
		return frames() + capacity_;
	}
	bool has_space() const noexcept { return end + 2 < capacity_; }
	// The place after the outermost frame.
	const remembered *sentinel() const noexcept { return frames() + end; }

	// Puts fresh()'s first n frames in place of those from kept (after the
	// last frame that the walk passed; start if none) to again (where the
	// walk came back into the memo).  False: there was no space for them.
	bool replace(std::uint32_t kept, std::uint32_t again, std::uint32_t n)
	    noexcept;
	// Does the same at the end of a walk that did not come back into it.
	void finish(std::uint32_t kept, std::uint32_t n, bool is_whole)
	    noexcept;

private:
	static constexpr std::uint32_t pause_max = 256;

	void
	ends_at(std::uint32_t n) noexcept
	{
		end = n;
		frames()[n] = remembered::sentinel();
	}

	void note(bool much) noexcept;

	std::uint32_t	useless_ = 0;	// captures in a row
	std::uint32_t	pause_ = 0;	// captures until it is written again
	std::uint32_t	slack_ = 16;	// kept free before the innermost
	std::uint32_t	capacity_ = 0;	// 0: it was never restarted
};

template <std::uint32_t places> struct memo_of : memo {
	static constexpr std::uint32_t size = places;

	remembered	room[places]{};
};
static_assert(sizeof(memo_of<1>) == sizeof(memo) + sizeof(remembered));

} // namespace stack9::unwind
