// Finds a thread's registers, by their DWARF numbers, where Linux keeps them on
// aarch64: x0 to x30, sp and pc are in that order already.  struct pt_regs and
// user_regs_struct are what ptrace(2) hands out, so they stay as they are.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <elf.h>
#include <linux/audit.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <ucontext.h>

namespace stack9::arch {

// Calls set(number, value) for each register of struct pt_regs.
template <class Word, class Set>
program_kind
read_pt_regs(const Word *regs, Set set) noexcept
{
	constexpr int pc = 32, pstate = 33;
	constexpr std::uint64_t is_32_bit = 0x10;	// PSR_MODE32_BIT
	if ((regs[pstate] & is_32_bit) != 0)
		return program_kind::unknown;
	for (int i = 0; i <= pc; i++)
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
	constexpr int pstate = 33, orig_x0 = 34, syscallno = 35;
	constexpr std::uint64_t is_32_bit = 0x10;	// PSR_MODE32_BIT
	if ((regs[pstate] & is_32_bit) != 0)
		return program_kind::unknown;
	number = static_cast<std::int32_t>(regs[syscallno]);
	args[0] = regs[orig_x0];
	for (int i = 1; i < 6; i++)
		args[i] = regs[i];
	return program_kind::native;
}

// Finds by the code before a program counter which system call was begun there:
// the kernel replaces the number of a call that it restarts.  -1: not known.
inline constexpr std::size_t call_code = 8;

inline std::int64_t
call_before(const std::uint8_t (&code)[call_code]) noexcept
{
	constexpr std::uint32_t mov_x8 = 0xd2800008, svc_0 = 0xd4000001;
	return number_loaded(code, mov_x8, 5, 0xffe0001f, svc_0);
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
	for (int i = 0; i <= pc; i++)
		set(i, word_of_regs(regs, i));
}

inline std::uintptr_t
sp_of_regs(const std::byte *regs, std::size_t) noexcept
{
	constexpr int sp = 31;
	return word_of_regs(regs, sp);
}

// There are no registers of other programs.
inline constexpr std::size_t ia32_regs_size = regs_size;

// Puts in a register by its DWARF number.
inline void
put_in_regs(std::byte *regs, std::size_t, int number, std::uint64_t value)
    noexcept
{
	std::memcpy(regs + static_cast<std::size_t>(number) * sizeof value,
	    &value, sizeof value);
}

// There is neither a thread pointer nor a system call in them.
inline void
complete_regs(std::byte *, std::size_t, std::uint64_t, std::int64_t) noexcept
{
}

// The registers that hold the arguments of a system call, and those that a walk
// may need, by their bits: x19 to x30, sp and pc.
inline constexpr std::array<int, 6> call_registers{0, 1, 2, 3, 4, 5},
    ia32_call_registers = call_registers;	// there are no such programs
inline constexpr std::uint64_t walked_registers = 0x1fff80000,
    ia32_walked_registers = walked_registers;

// The thread pointer, where the registers have it: they do not here.
inline std::uintptr_t
tls_in_regs(const std::byte *, std::size_t) noexcept
{
	return 0;
}

// The thread pointer; 0: not known.
inline std::uintptr_t
tls_of_regs(pid_t tid, const std::byte *, std::size_t) noexcept
{
	std::uint64_t tls = 0;
	iovec v{&tls, sizeof tls};
	return ptrace(PTRACE_GETREGSET, tid,
	    reinterpret_cast<void *>(std::uintptr_t{NT_ARM_TLS}), &v) == 0 ?
	    tls : 0;
}

// The last ones are for a filter of system calls that compares the numbers; a
// call that it has trapped has its arguments and its result in a ucontext_t.
inline constexpr std::uint32_t audit_arch = AUDIT_ARCH_AARCH64;
// There are no numbers of other kinds of programs.
inline constexpr std::uint32_t foreign_calls = UINT32_MAX;

inline std::uint64_t
call_argument(const ucontext_t &at, int n) noexcept
{
	return at.uc_mcontext.regs[n];
}

inline void
set_call_result(ucontext_t &at, long result) noexcept
{
	at.uc_mcontext.regs[0] = static_cast<std::uint64_t>(result);
}

} // namespace stack9::arch
