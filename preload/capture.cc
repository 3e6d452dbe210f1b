// Implements backtrace() of the C library, unw_backtrace() of libunwind, and a
// function for jemalloc's hook, all by one walk.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <execinfo.h>

#include <stack9_backtrace.h>

#include "libgcc.h"
#include "unwind/generation.h"
#include "unwind/walk.h"

namespace stack9::preload {
namespace {

// backtrace() and unw_backtrace() have this type.
using capture_call = int(void **pcs, int max);
constinit next_call<capture_call> next_capture("backtrace");

// Where the C library does not say when code is loaded, no rule may be kept.
[[gnu::noinline]] int
capture_elsewhere(void **pcs, int max)
{
	auto *const next = next_capture.get();
	return next != nullptr ? next(pcs, max) : 0;
}

[[gnu::always_inline]] inline int
capture(const unwind::frame &first, void **pcs, int max) noexcept
{
	if (max <= 0)
		return 0;
	if (!unwind::code_generation.known()) [[unlikely]]
		return capture_elsewhere(pcs, max);
	static_assert(sizeof(void *) == sizeof(std::uintptr_t));
	return static_cast<int>(unwind::walk_own(first.pc, first.sp, first.fp,
	    reinterpret_cast<std::uintptr_t *>(pcs),
	    static_cast<std::uint32_t>(max)).depth);
}

} // namespace
} // namespace stack9::preload

using stack9::preload::capture;

extern "C" {

[[gnu::visibility("default")]] int
backtrace(void **pcs, int max)
{
	return capture(STACK9_FRAME(), pcs, max);
}

[[gnu::visibility("default")]] int
unw_backtrace(void **pcs, int max)
{
	return capture(STACK9_FRAME(), pcs, max);
}

void
stack9_jemalloc_backtrace(void **pcs, unsigned int *depth, unsigned int max)
{
	*depth = static_cast<unsigned int>(capture(STACK9_FRAME(), pcs,
	    max > 0x7fffffff ? 0x7fffffff : static_cast<int>(max)));
}

} // extern "C"
