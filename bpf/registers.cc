// struct pt_regs as the kernel lays it out for each CPU (asm/ptrace.h).  That
// is what ptrace(2) hands out, so it stays as it is.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "registers.h"

#include <array>

namespace stack9::bpf {
namespace {

#if defined(__x86_64__)

enum : std::size_t { r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx,
	si, di, orig_ax, ip, cs, flags, sp };

// By DWARF number: the psABI of x86-64, table 3.36, and of the i386.
constexpr std::array<std::size_t, 17> native{ax, dx, cx, bx, si, di, bp, sp,
    r8, r9, r10, r11, r12, r13, r14, r15, ip};
constexpr std::array<std::size_t, 9> ia32{ax, cx, dx, bx, sp, bp, si, di, ip};

constexpr std::uint64_t user32_cs = 0x23;	// asm/segment.h
constexpr int rcx = 2, r11_number = 11;

bool
copy_native(const s9_user &u, user_copy &copy) noexcept
{
	if ((u.regs[cs] & 0xffff) == user32_cs) {
		copy.what = user_copy::machine::ia32;
		for (std::size_t i = 0; i < ia32.size(); i++)
			copy.set(static_cast<int>(i),
			    static_cast<std::uint32_t>(u.regs[ia32[i]]));
		return true;
	}
	for (std::size_t i = 0; i < native.size(); i++)
		copy.set(static_cast<int>(i), u.regs[native[i]]);
	// syscall(2) keeps rip and the flags in them.
	if (static_cast<std::int64_t>(u.regs[orig_ax]) >= 0)
		copy.known &= ~(std::uint64_t{1} << rcx |
		    std::uint64_t{1} << r11_number);
	return true;
}

#elif defined(__aarch64__)

constexpr std::size_t pc = 32, pstate = 33;	// behind x0 to x30 and sp
constexpr std::uint64_t is_32_bit = 0x10;	// PSR_MODE32_BIT

bool
copy_native(const s9_user &u, user_copy &copy) noexcept
{
	if (u.regs[pstate] & is_32_bit)
		return false;
	for (std::size_t i = 0; i <= pc; i++)
		copy.set(static_cast<int>(i), u.regs[i]);
	return true;
}

#endif

} // namespace

bool
read_registers(const s9_user &u, user_copy &copy) noexcept
{
	return copy_native(u, copy);
}

} // namespace stack9::bpf
