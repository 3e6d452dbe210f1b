// Reads the code by which runtime.systemstack() goes back:
//
//	mov %fs:..., %rax		the thread's g
//	mov 48(%rax), %rbx		its m
//	mov curg(%rbx), %rax		the goroutine that the m runs
//	mov %rax, %fs:...
//	mov 56(%rax), %rsp		where it called
//	mov ..., %rbp			since Go 1.21
//	movq $0, 56(%rax)
//	pop %rbp			if it was pushed
//	ret
//
// The walk does the same.  Go has the thread's g in r14, too, so the memory of
// the thread itself is not read.  As in Go's own tracebacks, the g has to be
// the g0 of the m, and the m that of the goroutine.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "go_stacks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>

#include <dwarf.h>

#include "go_code.h"

namespace stack9::languages {
namespace {

constexpr std::uint8_t m_of_g = 48, sp_of_g = 56;

// An m has its goroutine at another place in each release.
constexpr std::uint32_t places = 128, curg_end = places * go_word;

constexpr std::size_t length = 29;
using expression = std::array<std::uint8_t, length>;

// An address that nobody has takes the goroutine's place, if g, m and goroutine
// do not belong together.
constexpr expression
by_place(std::uint32_t curg, std::uint8_t size) noexcept
{
	return {
		DW_OP_breg14, m_of_g, DW_OP_deref,	// m
		DW_OP_dup, DW_OP_deref, DW_OP_breg14, 0, DW_OP_eq,
		DW_OP_over, DW_OP_plus_uconst,
		static_cast<std::uint8_t>(curg % 128 | 128),
		static_cast<std::uint8_t>(curg / 128), DW_OP_deref,
		DW_OP_rot,				// goroutine, m, is g0
		DW_OP_pick, 2, DW_OP_plus_uconst, m_of_g, DW_OP_deref,
		DW_OP_rot, DW_OP_rot, DW_OP_eq,
		DW_OP_mul, DW_OP_mul,
		DW_OP_plus_uconst, sp_of_g, DW_OP_deref,
		DW_OP_plus_uconst, static_cast<std::uint8_t>(size + go_word),
	};
}

constexpr std::array<expression, places>
all_places(std::uint8_t size) noexcept
{
	std::array<expression, places> all{};
	for (std::uint32_t i = 0; i < places; i++)
		all[i] = by_place(i * go_word, size);
	return all;
}

// rbp is pushed or not.
constexpr std::array<expression, places> expressions[] = {
	all_places(0), all_places(go_word)};

// Reads instructions one after the other.
class code_behind {
public:
	code_behind(const go_table &t, std::uint64_t vaddr) noexcept
	    : size_(t.code(vaddr, code_, sizeof code_)) {}

	// Passes these bytes, and so many more, if they are next.
	bool
	passes(std::initializer_list<std::uint8_t> what, std::size_t more = 0)
	    noexcept
	{
		if (size_ - at_ < what.size() + more ||
		    !std::equal(what.begin(), what.end(), code_ + at_))
			return false;
		at_ += what.size() + more;
		return true;
	}
	// The last bytes that were passed.
	template <class Int>
	Int
	last() const noexcept
	{
		Int n;
		std::memcpy(&n, code_ + at_ - sizeof n, sizeof n);
		return n;
	}

private:
	std::uint8_t	code_[64];
	std::size_t	size_, at_ = 0;
};

// Passes a load of g, whose place is a constant, in rcx, or of the loader's.
bool
loads_g(code_behind &c) noexcept
{
	if (c.passes({0x64, 0x48, 0x8b, 0x04, 0x25}, 4))
		return true;
	return (c.passes({0x48, 0xc7, 0xc1}, 4) ||
	    c.passes({0x48, 0x8b, 0x0d}, 4)) &&
	    c.passes({0x64, 0x48, 0x8b, 0x01});
}

bool
stores_g(code_behind &c) noexcept
{
	return c.passes({0x64, 0x48, 0x89, 0x04, 0x25}, 4) ||
	    c.passes({0x64, 0x48, 0x89, 0x01});
}

bool
loads_goroutine(code_behind &c, std::uint32_t &from) noexcept
{
	if (c.passes({0x48, 0x8b, 0x43}, 1))
		from = c.last<std::uint8_t>();
	else if (c.passes({0x48, 0x8b, 0x83}, 4))
		from = c.last<std::uint32_t>();
	else
		return false;
	return from < curg_end && from % go_word == 0;
}

bool
returns(code_behind &c, bool pushed) noexcept
{
	c.passes({0x48, 0x8b, 0x68}, 1);
	if (!c.passes({0x48, 0xc7, 0x40, sp_of_g, 0, 0, 0, 0}))
		return false;
	c.passes({0x48, 0xc7, 0x40}, 5);
	return (!pushed || c.passes({0x5d})) && c.passes({0xc3});
}

} // namespace

std::span<const std::byte>
go_back_from_system_stack(const go_table &t, std::uint64_t last,
    std::int32_t size) noexcept
{
	std::uint32_t curg;
	code_behind c(t, last + 1);
	const bool pushed = size == go_word;
	if ((size != 0 && !pushed) || !go_behind_call(t, last) || !loads_g(c) ||
	    !c.passes({0x48, 0x8b, 0x58, m_of_g}) ||
	    !loads_goroutine(c, curg) || !stores_g(c) ||
	    !c.passes({0x48, 0x8b, 0x60, sp_of_g}) || !returns(c, pushed))
		return {};
	return std::as_bytes(std::span(
	    expressions[pushed][curg / go_word]));
}

} // namespace stack9::languages
