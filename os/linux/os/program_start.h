// Says where programs and threads begin: what lies beyond the frames of the
// first thread, and whether the C library describes the functions there.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/auxv.h>

#ifdef __GLIBC__
// The beginning of the first thread's stack (ld.so, in every glibc).
extern "C" void *__libc_stack_end;
#endif

namespace stack9 {

// An address on the stack that the program began on, beyond all its frames.
inline std::uintptr_t
first_stack_address() noexcept
{
#ifdef __GLIBC__
	return reinterpret_cast<std::uintptr_t>(__libc_stack_end);
#else	// the kernel's random bytes lie there
	return getauxval(AT_RANDOM);
#endif
}

// The address of the program's first instruction.
inline std::uintptr_t
program_entry() noexcept
{
	return getauxval(AT_ENTRY);
}

// musl has no unwind information for the functions that programs and threads
// begin in.  They clear the frame pointer, as the ABIs ask of the outermost
// frame.
#ifdef __GLIBC__
inline constexpr bool start_is_described = true;
#else
inline constexpr bool start_is_described = false;
#endif

} // namespace stack9
