// The last capture of a thread, frame by frame, and how a walk uses it again.
//
// It is exact, not a guess.  Where a frame's caller is, is a function of its
// pc, its sp and, if its rule has the CFA in fp, of fp; and of the words that
// the rule reads.  A walk enters the memo only at a frame whose pc and sp are
// its own, so the next slot is where the plain walk would read, too; the word
// in it is read, now, and compared; if it is the one remembered, the walk is
// at the next remembered frame, with the same pc and the same sp, and so on.
// The first word that differs ends it, and the plain walk goes on from the
// frame before.  fp is not remembered by value but by where it lies (fp_at),
// and read at a frame that needs it: what inner frames did to it matters no
// sooner.  So nothing is read that the plain walk would not read, nothing is
// taken that was not read in this capture, and rules enter only by their pcs,
// whose generation (generation.h) is compared first.
//
// What this saves is waiting: the addresses are known before the words are,
// so that the processor reads many at once.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "step_special.h"

namespace stack9::unwind {

// At a place where no pc is: what is read there equals no remembered word.
inline constexpr std::uintptr_t never_word = 1;
extern const std::uintptr_t never;

struct remembered {
	const std::uintptr_t *at;	// where raw was read, or &never: the
					// step to here is not by sp
	std::uintptr_t	 raw;		// the word; 0: where a signal came
	std::uint64_t	 fp_at_;	// | (sp - slot) / 8 << 48
	std::uint64_t	 sp_;		// | how far the CFA was from fp / 8,
					// 0: the step was by something else

	static constexpr std::uint64_t low = (std::uint64_t{1} << 48) - 1;

	// Further out than any frame.
	static constexpr remembered
	sentinel() noexcept
	{
		return {&never, 0, 0, low};
	}

	std::uintptr_t sp() const noexcept { return sp_ & low; }
	std::uintptr_t cfa_from_fp() const noexcept { return sp_ >> 48 << 3; }
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
	// The step to here was by sp and read its word there.
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
	// No, by fp.
	void
	by_fp(std::uintptr_t cfa_from_fp) noexcept
	{
		sp_ |= cfa_from_fp / 8 << 48;
		bar();
	}
	// Here the memo can be entered, and not be passed.  word 0: nor that.
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

class memo {
public:
	static constexpr std::uint32_t capacity = 1136;

	std::uint16_t	generation = 0;
	bool		whole = false;	// its last frame is the outermost
	std::uint32_t	start = 0;	// the innermost frame
	std::uint32_t	end = 0;	// behind the outermost

	void
	forget() noexcept
	{
		whole = false;
		start = 0;
		ends_at(0);
	}

	// As if there had been no capture: for another thread.
	void
	restart() noexcept
	{
		forget();
		generation = 0;
		useless_ = pause_ = 0;
		slack_ = 16;
	}

	// Whether this walk writes it, if it comes to that.
	bool writes() const noexcept { return pause_ == 0; }
	// A walk found much of the last capture again, or little.
	void
	reused(bool much) noexcept
	{
		if (!much || useless_ != 0)
			note(much);
	}

	// Whether its innermost frame is the one where a walk begins.
	bool
	begins_at(std::uintptr_t pc, std::uintptr_t sp,
	    const std::uintptr_t *fp) const noexcept
	{
		const remembered &first = frames[start];
		return start != end && first.raw == pc && first.sp() == sp &&
		    first.fp_at() == fp;
	}

	// Where a walk puts frames that may become part of it.
	remembered *fresh() noexcept { return frames + end + 1; }
	const remembered *behind() const noexcept { return frames + capacity; }
	bool has_space() const noexcept { return end + 2 < capacity; }
	// Behind the outermost frame.
	const remembered *sentinel() const noexcept { return frames + end; }

	// fresh()'s first n frames stand for those between kept (behind the
	// last that the walk passed, start if none) and again (where it met
	// the memo once more).  False: there was no room for them.
	bool replace(std::uint32_t kept, std::uint32_t again, std::uint32_t n)
	    noexcept;
	// The same at the end of a walk that did not meet it any more.
	void finish(std::uint32_t kept, std::uint32_t n, bool is_whole)
	    noexcept;

private:
	static constexpr std::uint32_t pause_max = 256;

	void
	ends_at(std::uint32_t n) noexcept
	{
		end = n;
		frames[n] = remembered::sentinel();
	}

	void note(bool much) noexcept;

	std::uint32_t	useless_ = 0;	// captures in a row
	std::uint32_t	pause_ = 0;	// captures until it is written again
	std::uint32_t	slack_ = 16;	// kept free before the innermost

public:
	remembered	frames[capacity]{};
};

} // namespace stack9::unwind
