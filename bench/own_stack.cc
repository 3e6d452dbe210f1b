// The calling thread's own stack, 18 frames of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#define UNW_LOCAL_ONLY
#include <dlfcn.h>
#include <libunwind.h>
#include <sys/stack.h>

#include "benches.h"
#include "pair.h"

namespace {

[[gnu::noinline]] void
measure()
{
	struct stack st;
	void *frames[STACK_MAX];
	// libunwind has a backtrace() of its own, in front of glibc's.
	const auto glibc_backtrace = reinterpret_cast<int (*)(void **, int)>(
	    dlsym(dlopen("libc.so.6", RTLD_LAZY), "backtrace"));
	compare("own stack, 18 frames, by libunwind for now", {
		{"stack_save", [&] { stack_save(&st); }, 2000},
		{"unw_backtrace", [&] { unw_backtrace(frames, STACK_MAX); },
		    2000},
		{"backtrace (glibc)", [&] { glibc_backtrace(frames, STACK_MAX);
		}, 2000},
	}, 51, "of unw_backtrace");
}

[[gnu::noinline]] void
descend(int n)
{
	if (n > 0)
		descend(n - 1);
	else
		measure();
	asm volatile("");	// not a tail call
}

} // namespace

void
bench_own_stack()
{
	descend(24);
}
