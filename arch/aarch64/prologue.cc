// Follows the first instructions of a function on aarch64, from add x29,sp,#n
// on (mov x29,sp is one), and adds up how far they move the stack pointer.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/prologue.h"

#include <algorithm>
#include <array>

namespace stack9::unwind {
namespace {

constexpr std::size_t most = 40;	// instructions of a prologue

// Returns true if an instruction may go elsewhere: branches, compares with a
// branch, tests with a branch, and those to a register.
bool
is_branch(std::uint32_t i) noexcept
{
	return (i & 0x7c000000) == 0x14000000 ||
	    (i & 0xff000000) == 0x54000000 ||
	    (i & 0x7c000000) == 0x34000000 || (i & 0xfe000000) == 0xd6000000;
}

// add x29,sp,#n
bool
is_set_of_fp(std::uint32_t i) noexcept
{
	return (i & 0xffc003ff) == 0x910003fd;
}

// Returns true if add or sub, with an immediate or an extended register, writes
// the stack pointer.
bool
writes_sp(std::uint32_t i) noexcept
{
	return (i & 0x1f) == 31 && ((i & 0xbf000000) == 0x91000000 ||
	    (i & 0xbfe00000) == 0x8b200000);
}

} // namespace

bool
fp_by_prologue(memory &words, std::uintptr_t begin, std::uintptr_t call,
    std::uintptr_t sp, std::uintptr_t &fp) noexcept
{
	std::array<std::uint32_t, most> code;
	bool sets = false;
	std::uint64_t room = 0;
	if (call <= begin)
		return false;
	const std::size_t n = std::min(most,
	    (call - begin) / sizeof code[0]);
	if (!words.read(begin, code.data(), n * sizeof code[0]))
		return false;
	for (std::size_t at = 0; at < n && !is_branch(code[at]); at++) {
		const std::uint32_t i = code[at];
		if (is_set_of_fp(i)) {
			sets = true;
			room = i >> 10 & 0xfff;
		} else if ((i & 0xff8003ff) == 0xd10003ff) {	// sub sp,sp,#n
			room += std::uint64_t{i >> 10 & 0xfff} <<
			    (i >> 22 & 1) * 12;
		} else if ((i & 0xffc003e0) == 0xa98003e0) {
			// stp a,b,[sp,#-n]!; the number has seven bits
			room += std::uint64_t{128 - (i >> 15 & 0x7f)} * 8;
		} else if (writes_sp(i)) {
			return false;
		}
	}
	fp = sp + room;
	return sets;
}

bool
sets_fp(memory &words, std::uintptr_t begin, std::uintptr_t call) noexcept
{
	constexpr std::uintptr_t farthest = 4096;
	const std::uintptr_t end = begin + std::min(call - begin, farthest);
	std::array<std::uint32_t, most> code;
	for (std::uintptr_t at = begin; at < end; at += sizeof code) {
		const std::size_t n = std::min<std::size_t>(most,
		    (end - at) / sizeof code[0]);
		if (!words.read(at, code.data(), n * sizeof code[0]))
			return false;
		if (std::any_of(code.data(), code.data() + n, is_set_of_fp))
			return true;
	}
	return false;
}

// Room for arguments is made once, at the beginning.
std::size_t
bytes_of_arguments(memory &, std::uintptr_t) noexcept
{
	return 0;
}

} // namespace stack9::unwind
