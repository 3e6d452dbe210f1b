// Declares an unwind rule: it leads from a frame to its caller's for one pc, in
// 32 bits.
//
// Most rows of unwind information say no more than "the CFA is rsp + k, the
// return address is below it, rbp is saved at CFA - n".  A row that says more
// becomes a rule of kind full, and its frames are left by full_step() (full.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9::unwind {

enum class kind : std::uint8_t {
	none,		// not a rule
	sp,		// CFA = sp + 8 * cfa
	fp,		// CFA = fp + 8 * cfa
	realigned,	// CFA = *(fp - 8 * cfa), fp saved at fp + 0
	signal,		// the kernel's signal frame has a ucontext_t at a fixed
			// place above sp
	end,		// the outermost frame, by its unwind information
	full,		// the unwind information does not fit here; cfa is the
			// cause, and saved is 1 if the caller was interrupted
	absent,		// no unwind information covers the pc; cfa is not 0 if
			// the pc cannot be a return address, either
};

// Says why a rule is of kind full.
enum class cause : std::uint8_t {
	cfa_register,	// the CFA is in another register than sp and fp
	cfa_expression,	// the CFA is computed
	far,		// an offset is too large, or not a multiple of 8
	return_address,	// the return address is not where it always is
	frame_pointer,	// fp is neither where it was nor in the frame
	malformed,	// the unwind information contradicts itself
};
inline constexpr unsigned int cause_count = 6;

class rule {
public:
	static constexpr std::uint32_t field_max = (1u << 14) - 1;

	constexpr rule() noexcept = default;
	explicit constexpr rule(std::uint32_t b) noexcept : bits_(b) {}
	// cfa and saved are in words of 8 bytes, at most field_max; saved is
	// how far below the CFA fp is saved, 0 where it is not.
	constexpr rule(unwind::kind k, std::uint32_t cfa = 0,
	    std::uint32_t saved = 0) noexcept
	    : bits_(static_cast<std::uint32_t>(k) | cfa << 3 | saved << 17) {}
	constexpr rule(unwind::cause c, bool interrupted = false) noexcept
	    : rule(unwind::kind::full, static_cast<std::uint32_t>(c),
	    interrupted) {}

	constexpr std::uint32_t bits() const noexcept { return bits_; }
	constexpr unwind::kind
	kind() const noexcept
	{
		return static_cast<unwind::kind>(bits_ & 7);
	}
	constexpr unwind::cause
	cause() const noexcept
	{
		return static_cast<unwind::cause>(bits_ >> 3 & field_max);
	}
	// Returns true if the caller's pc is where it was interrupted, and not
	// a return address.
	constexpr bool
	interrupted() const noexcept
	{
		return kind() == unwind::kind::signal ||
		    (kind() == unwind::kind::full && saved() != 0);
	}
	// In bytes.  Each frame waits for the CFA, so this is one operation.
	constexpr std::uintptr_t
	cfa() const noexcept
	{
		return bits_ & field_max << 3;
	}
	constexpr std::uintptr_t
	saved() const noexcept
	{
		return bits_ >> 14 & field_max << 3;
	}

	friend constexpr bool operator==(rule, rule) noexcept = default;

private:
	std::uint32_t	bits_ = 0;
};
static_assert(sizeof(rule) == 4);

} // namespace stack9::unwind
