// Steps through work: it runs with the trap flag set, and at each of its
// instructions an engine takes the stack.  The stack is compared with a shadow
// stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "steps_shadow.h"

namespace steps {

// Takes the stack that a signal interrupted, in its handler.  A stack that it
// says is not whole has a pc of 0 after its last.
using engine = std::uint32_t (*)(const ucontext_t &, address *pcs,
    std::uint32_t max) noexcept;

enum class verdict : std::uint8_t {
	exact,
	// Exact up to the frame that is about to load sp to land in another
	// one, for a throw: the C++ runtime writes that one's registers over
	// those saved in its own frame, the return address among them, so what
	// is outside has no definition.
	landing,
	// Exact for where longjmp() (or a throw) is about to go: for as long
	// as registers are loaded, the unwind information names its target.
	target,
	// The unwind information is wrong: libunwind, by the same, goes wrong
	// at the same frame.
	misled,
	// No unwind information covers the last frame that is right: the C
	// compiler's own functions around a library's constructors.
	unknown,
	short_of,	// exact as far as it went
	wrong,
};
inline constexpr std::size_t verdict_count = 7;

struct frames {
	std::array<address, frames_max>	pcs{};
	std::uint32_t			depth = 0;
};

struct difference {
	verdict		how = verdict::exact;
	std::uint64_t	when = 0;	// counted in steps
	frames		ours, truth;
	std::array<unsigned char, 16> bytes{};	// at pc
};


template<typename T, std::size_t n>
struct some {
	std::array<T, n>	all{};
	std::size_t		size = 0;	// kept; others are dropped

	T *
	next() noexcept
	{
		return size < n ? &all[size++] : nullptr;
	}
	T *begin() noexcept { return all.data(); }
	T *end() noexcept { return all.data() + size; }
	const T *begin() const noexcept { return all.data(); }
	const T *end() const noexcept { return all.data() + size; }
};

struct result {
	std::uint64_t	steps = 0;
	std::uint64_t	instructions = 0;
	std::array<std::uint64_t, verdict_count> verdicts{};
	std::array<std::uint64_t, deed_count> deeds{};
	std::uint32_t	deepest = 0;
	frames		base;		// outside the work, by libunwind
	some<difference, 512> differences;
	some<address, 64> unexplained;	// the pcs of such deeds

	std::uint64_t
	count(verdict v) const noexcept
	{
		return verdicts[static_cast<std::size_t>(v)];
	}
	std::uint64_t
	count(deed d) const noexcept
	{
		return deeds[static_cast<std::size_t>(d)];
	}
};

// The result is static, and holds until the next call.  Not reentrant; in the
// first thread only, whose stack is above every other.  doubtful: whether to
// ask libunwind about differences.  This takes the dynamic linker's lock.
const result &step_through(void (*work)(), engine, bool doubtful) noexcept;

// For a handler that the work has: steps through it, too.
void step_through_handler(ucontext_t &) noexcept;

std::string text_of(const difference &);
std::string symbol_of(address pc);

} // namespace steps
