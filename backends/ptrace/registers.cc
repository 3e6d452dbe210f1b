// Reads register sets and maps them to DWARF numbers.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "registers.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#if defined(__x86_64__)
#include <asm/ldt.h>
#include <sys/reg.h>
#endif

#include "arch/cpu.h"

namespace stack9::tracing {
namespace {

int
read_set(pid_t tid, std::uintptr_t which, void *to, std::size_t &size) noexcept
{
	iovec v{to, size};
	if (ptrace(PTRACE_GETREGSET, tid, reinterpret_cast<void *>(which),
	    &v) != 0)
		return errno;
	size = v.iov_len;
	return 0;
}

template <class Word>
std::uint64_t
word_of(const raw_registers &r, int index) noexcept
{
	Word w;
	std::memcpy(&w, r.bytes + static_cast<std::size_t>(index) * sizeof w,
	    sizeof w);
	return w;
}

#if defined(__x86_64__)

// The index of each register in user_regs_struct, by its DWARF number.
constexpr std::array<int, unwind::register_count> native_index{
	RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R9, R10, R11, R12, R13, R14,
	R15, RIP,
};

// The same for a 32-bit program: 17 words, ebx first (the kernel's
// asm/user_32.h).
constexpr std::array<int, 9> ia32_index{6, 1, 2, 0, 15, 5, 3, 4, 12};
constexpr std::size_t ia32_size = 17 * 4;
constexpr int ia32_sp = 15, ia32_gs = 10;

bool
is_ia32(const raw_registers &r) noexcept
{
	return r.size == ia32_size;
}

bool
is_native(const raw_registers &r) noexcept
{
	return r.size == sizeof(user_regs_struct);
}

// gs selects a descriptor slot of the thread.  The C library of 32-bit programs
// keeps the address of its struct pthread there.
std::uintptr_t
ia32_tls(pid_t tid, const raw_registers &r) noexcept
{
	user_desc slot{};
	const auto entry = static_cast<std::uintptr_t>(
	    word_of<std::uint32_t>(r, ia32_gs) >> 3);
	return ptrace(static_cast<__ptrace_request>(PTRACE_GET_THREAD_AREA),
	    tid, reinterpret_cast<void *>(entry), &slot) == 0 ?
	    slot.base_addr : 0;
}

std::uintptr_t
thread_pointer(pid_t tid, const raw_registers &r) noexcept
{
	return is_ia32(r) ? ia32_tls(tid, r) :
	    word_of<std::uint64_t>(r, FS_BASE);
}

std::uint64_t
native_register(const raw_registers &r, int number) noexcept
{
	return word_of<std::uint64_t>(r,
	    native_index[static_cast<std::size_t>(number)]);
}

#elif defined(__aarch64__)

constexpr std::array<int, 0> ia32_index{};
constexpr int ia32_sp = 0;

constexpr bool
is_ia32(const raw_registers &) noexcept
{
	return false;
}

bool
is_native(const raw_registers &r) noexcept
{
	return r.size == sizeof(user_regs_struct);
}

std::uintptr_t
thread_pointer(pid_t tid, const raw_registers &) noexcept
{
	std::uint64_t tls = 0;
	std::size_t size = sizeof tls;
	return read_set(tid, NT_ARM_TLS, &tls, size) == 0 ? tls : 0;
}

// x0 to x30, sp, pc: by their DWARF numbers already.
std::uint64_t
native_register(const raw_registers &r, int number) noexcept
{
	return word_of<std::uint64_t>(r, number);
}

#endif

} // namespace

int
read_registers(pid_t tid, raw_registers &r) noexcept
{
	r.size = sizeof r.bytes;
	if (const int error = read_set(tid, NT_PRSTATUS, r.bytes, r.size);
	    error != 0)
		return error;
	if (!is_native(r) && !is_ia32(r))
		return EOPNOTSUPP;
	r.tls = thread_pointer(tid, r);
	return 0;
}

std::uintptr_t
stack_pointer(const raw_registers &r) noexcept
{
	return is_ia32(r) ? word_of<std::uint32_t>(r, ia32_sp) :
	    native_register(r, unwind::register_sp);
}

void
set_registers(const raw_registers &r, user_copy &copy) noexcept
{
	if (is_ia32(r)) {
		copy.what = user_copy::machine::ia32;
		for (std::size_t i = 0; i < ia32_index.size(); i++)
			copy.set(static_cast<int>(i),
			    word_of<std::uint32_t>(r, ia32_index[i]));
		return;
	}
	copy.what = user_copy::machine::native;
	for (int i = 0; i < unwind::register_count; i++)
		copy.set(i, native_register(r, i));
}

} // namespace stack9::tracing
