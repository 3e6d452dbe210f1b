// Finds a thread's registers, by their DWARF numbers, where Linux keeps them on
// x86-64 (psABI of x86-64, table 3.36, and of the i386).  struct pt_regs and
// user_regs_struct are what ptrace(2) hands out, so they stay as they are.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <asm/ldt.h>
#include <linux/audit.h>
#include <sys/ptrace.h>
#include <sys/reg.h>
#include <sys/types.h>
#include <sys/user.h>
#include <ucontext.h>

namespace stack9::arch {

inline constexpr std::array<int, 17> native_order{
	RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R9, R10, R11, R12, R13, R14,
	R15, RIP,
};

// Calls set(number, value) for each register of struct pt_regs that holds what
// the program left there.
template <class Word, class Set>
program_kind
read_pt_regs(const Word *regs, Set set) noexcept
{
	constexpr std::array<int, 9> ia32{
		RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, RIP,
	};
	constexpr std::uint64_t user32_cs = 0x23;	// asm/segment.h
	constexpr int rcx = 2, r11 = 11;
	if ((regs[CS] & 0xffff) == user32_cs) {
		for (std::size_t i = 0; i < ia32.size(); i++)
			set(static_cast<int>(i),
			    static_cast<std::uint32_t>(regs[ia32[i]]));
		return program_kind::ia32;
	}
	// syscall(2) keeps rip and the flags in rcx and r11.
	const bool in_syscall = static_cast<std::int64_t>(regs[ORIG_RAX]) >= 0;
	for (int i = 0; i < static_cast<int>(native_order.size()); i++)
		if (!in_syscall || (i != rcx && i != r11))
			set(i, regs[native_order[static_cast<std::size_t>(i)]]);
	return program_kind::native;
}

// Reads the system call that the thread is in from struct pt_regs: its number,
// -1 outside of one, and its arguments.
template <class Word>
program_kind
read_call(const Word *regs, std::int64_t &number, std::uint64_t (&args)[6])
    noexcept
{
	constexpr int native[]{RDI, RSI, RDX, R10, R8, R9};
	constexpr int ia32[]{RBX, RCX, RDX, RSI, RDI, RBP};
	constexpr std::uint64_t user32_cs = 0x23;	// asm/segment.h
	const bool is_32 = (regs[CS] & 0xffff) == user32_cs;
	number = static_cast<std::int64_t>(regs[ORIG_RAX]);
	for (std::size_t i = 0; i < 6; i++)
		args[i] = is_32 ? static_cast<std::uint32_t>(regs[ia32[i]]) :
		    regs[native[i]];
	return is_32 ? program_kind::ia32 : program_kind::native;
}

// Finds by the code before a program counter which system call was begun there:
// the kernel replaces the number of a call that it restarts.  -1: not known.
inline constexpr std::size_t call_code = 7;

inline std::int64_t
call_before(const std::uint8_t (&code)[call_code]) noexcept
{
	constexpr std::uint8_t mov_eax = 0xb8, syscall[] = {0x0f, 0x05};
	std::uint32_t number;
	std::memcpy(&number, code + 1, sizeof number);
	return code[0] == mov_eax && std::memcmp(code + 5, syscall,
	    sizeof syscall) == 0 ? std::int64_t{number} : -1;
}

// The next ones read what PTRACE_GETREGSET gives for NT_PRSTATUS:
// user_regs_struct, or the 17 words of a 32-bit program, ebx first
// (asm/user_32.h of the kernel).  The former is the larger one.
inline constexpr std::size_t regs_size = sizeof(user_regs_struct);
inline constexpr std::size_t ia32_regs_size = 17 * 4;
// Where the words of eax, ecx, edx, ebx, esp, ebp, esi, edi and eip are in the
// latter.
inline constexpr std::array<int, 9> ia32_order{6, 1, 2, 0, 15, 5, 3, 4, 12};

inline program_kind
program_of_regs(std::size_t size) noexcept
{
	return size == regs_size ? program_kind::native :
	    size == ia32_regs_size ? program_kind::ia32 :
	    program_kind::unknown;
}

template <class Word>
Word
word_of_regs(const std::byte *regs, int index) noexcept
{
	Word w;
	std::memcpy(&w, regs + static_cast<std::size_t>(index) * sizeof w,
	    sizeof w);
	return w;
}

template <class Set>
void
read_regs(const std::byte *regs, std::size_t size, Set set) noexcept
{
	if (program_of_regs(size) == program_kind::ia32)
		for (std::size_t i = 0; i < ia32_order.size(); i++)
			set(static_cast<int>(i),
			    word_of_regs<std::uint32_t>(regs, ia32_order[i]));
	else
		for (std::size_t i = 0; i < native_order.size(); i++)
			set(static_cast<int>(i),
			    word_of_regs<std::uint64_t>(regs, native_order[i]));
}

inline std::uintptr_t
sp_of_regs(const std::byte *regs, std::size_t size) noexcept
{
	constexpr int ia32_sp = 15;
	return program_of_regs(size) == program_kind::ia32 ?
	    word_of_regs<std::uint32_t>(regs, ia32_sp) :
	    word_of_regs<std::uint64_t>(regs, RSP);
}

// Puts a word into registers of this size.
inline void
put_word(std::byte *regs, std::size_t size, int index, std::uint64_t value)
    noexcept
{
	const std::size_t width = program_of_regs(size) ==
	    program_kind::ia32 ? 4 : 8;		// the lower byte comes first
	std::memcpy(regs + static_cast<std::size_t>(index) * width, &value,
	    width);
}

// Puts in a register by its DWARF number.
inline void
put_in_regs(std::byte *regs, std::size_t size, int number,
    std::uint64_t value) noexcept
{
	const auto n = static_cast<std::size_t>(number);
	put_word(regs, size, program_of_regs(size) == program_kind::ia32 ?
	    ia32_order[n] : native_order[n], value);
}

// Puts in what a program that runs has there, its thread pointer, and the
// system call that it is in; -1: none.
inline void
complete_regs(std::byte *regs, std::size_t size, std::uint64_t tls,
    std::int64_t call) noexcept
{
	constexpr std::uint64_t user_cs = 0x33, user32_cs = 0x23,
	    user_ds = 0x2b, flags = 0x202;
	constexpr int ia32_ds = 7, ia32_es = 8, ia32_call = 11, ia32_cs = 13,
	    ia32_flags = 14, ia32_ss = 16;
	const bool is_32 = program_of_regs(size) == program_kind::ia32;
	put_word(regs, size, is_32 ? ia32_cs : CS, is_32 ? user32_cs :
	    user_cs);
	put_word(regs, size, is_32 ? ia32_ss : SS, user_ds);
	put_word(regs, size, is_32 ? ia32_flags : EFLAGS, flags);
	put_word(regs, size, is_32 ? ia32_call : ORIG_RAX,
	    static_cast<std::uint64_t>(call));
	if (!is_32)
		return put_word(regs, size, FS_BASE, tls);
	put_word(regs, size, ia32_ds, user_ds);
	put_word(regs, size, ia32_es, user_ds);
}

// The registers that hold the arguments of a system call, and those that a walk
// may need, by their bits.
inline constexpr std::array<int, 6> call_registers{5, 4, 1, 10, 8, 9},
    ia32_call_registers{3, 1, 2, 6, 7, 5};
inline constexpr std::uint64_t walked_registers = 0x1f0c8,
    ia32_walked_registers = 0x1f8;

// The thread pointer, where the registers have it; 0: not known.
inline std::uintptr_t
tls_in_regs(const std::byte *regs, std::size_t size) noexcept
{
	return program_of_regs(size) == program_kind::native ?
	    word_of_regs<std::uint64_t>(regs, FS_BASE) : 0;
}

// The thread pointer; 0: not known.  In a 32-bit program gs selects a
// descriptor slot of the thread, where the C library keeps the address of its
// struct pthread.
inline std::uintptr_t
tls_of_regs(pid_t tid, const std::byte *regs, std::size_t size) noexcept
{
	constexpr int ia32_gs = 10;
	if (program_of_regs(size) != program_kind::ia32)
		return tls_in_regs(regs, size);
	user_desc slot{};
	const std::uintptr_t entry =
	    word_of_regs<std::uint32_t>(regs, ia32_gs) >> 3;
	return ptrace(static_cast<decltype(PTRACE_TRACEME)>(
	    PTRACE_GET_THREAD_AREA),
	    tid, reinterpret_cast<void *>(entry), &slot) == 0 ?
	    slot.base_addr : 0;
}

// The last ones are for a filter of system calls that compares the numbers; a
// call that it has trapped has its arguments and its result in a ucontext_t.
inline constexpr std::uint32_t audit_arch = AUDIT_ARCH_X86_64;
// Numbers from here on are those of another kind of program (x32).
inline constexpr std::uint32_t foreign_calls = 0x40000000;

inline std::uint64_t
call_argument(const ucontext_t &at, int n) noexcept
{
	constexpr int registers[] = {REG_RDI, REG_RSI, REG_RDX};
	return static_cast<std::uint64_t>(
	    at.uc_mcontext.gregs[registers[n]]);
}

inline void
set_call_result(ucontext_t &at, long result) noexcept
{
	at.uc_mcontext.gregs[REG_RAX] = result;
}

} // namespace stack9::arch
