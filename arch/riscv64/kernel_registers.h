// Finds a thread's registers, by their DWARF numbers, where Linux keeps them on
// riscv64: pc is in the place of x0.  struct pt_regs begins as
// user_regs_struct.  ptrace(2) hands that out, so both stay as they are.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <asm/ptrace.h>	// the C library has no user_regs_struct
#include <linux/audit.h>
#include <sys/types.h>
#include <ucontext.h>

namespace stack9::arch {

// Calls set(number, value) for each register of struct pt_regs.
template <class Word, class Set>
program_kind
read_pt_regs(const Word *regs, Set set) noexcept
{
	constexpr int pc = 32;
	set(pc, regs[0]);
	for (int i = 1; i < pc; i++)
		set(i, regs[i]);
	return program_kind::native;
}

// Reads the system call that the thread is in from struct pt_regs: its number,
// -1 outside of one, and its arguments.
template <class Word>
program_kind
read_call(const Word *regs, std::int64_t &number, std::uint64_t (&args)[6])
    noexcept
{
	constexpr int a0 = 10, a7 = 17, cause = 34, orig_a0 = 35;
	constexpr std::uint64_t by_ecall = 8;
	number = regs[cause] == by_ecall ?
	    static_cast<std::int64_t>(regs[a7]) : -1;
	args[0] = regs[orig_a0];
	for (int i = 1; i < 6; i++)
		args[i] = regs[a0 + i];
	return program_kind::native;
}

// Finds by the code before a program counter which system call was begun there:
// the kernel replaces the number of a call that it restarts.  -1: not known.
inline constexpr std::size_t call_code = 8;

inline std::int64_t
call_before(const std::uint8_t (&code)[call_code]) noexcept
{
	constexpr std::uint32_t li_a7 = 0x00000893, ecall = 0x00000073;
	return number_loaded(code, li_a7, 20, 0x000fffff, ecall);
}

// The next ones read what PTRACE_GETREGSET gives for NT_PRSTATUS.
inline constexpr std::size_t regs_size = sizeof(user_regs_struct);

inline program_kind
program_of_regs(std::size_t size) noexcept
{
	return size == regs_size ? program_kind::native :
	    program_kind::unknown;
}

inline std::uint64_t
word_of_regs(const std::byte *regs, int index) noexcept
{
	std::uint64_t w;
	std::memcpy(&w, regs + static_cast<std::size_t>(index) * sizeof w,
	    sizeof w);
	return w;
}

template <class Set>
void
read_regs(const std::byte *regs, std::size_t, Set set) noexcept
{
	constexpr int pc = 32;
	set(pc, word_of_regs(regs, 0));
	for (int i = 1; i < pc; i++)
		set(i, word_of_regs(regs, i));
}

inline std::uintptr_t
sp_of_regs(const std::byte *regs, std::size_t) noexcept
{
	constexpr int sp = 2;
	return word_of_regs(regs, sp);
}

// The thread pointer.
inline std::uintptr_t
tls_of_regs(pid_t, const std::byte *regs, std::size_t) noexcept
{
	constexpr int tp = 4;
	return word_of_regs(regs, tp);
}

// The last ones are for a filter of system calls that compares the numbers; a
// call that it has trapped has its arguments and its result in a ucontext_t.
inline constexpr std::uint32_t audit_arch = AUDIT_ARCH_RISCV64;
// There are no numbers of other kinds of programs.
inline constexpr std::uint32_t foreign_calls = UINT32_MAX;

inline std::uint64_t
call_argument(const ucontext_t &at, int n) noexcept
{
	return at.uc_mcontext.__gregs[10 + n];
}

inline void
set_call_result(ucontext_t &at, long result) noexcept
{
	at.uc_mcontext.__gregs[10] = static_cast<std::uint64_t>(result);
}

} // namespace stack9::arch
