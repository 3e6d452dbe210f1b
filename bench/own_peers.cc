// Defines the peers that capture the calling thread's own stack.  libunwind has
// a backtrace() and an _Unwind_Backtrace() of its own.  They are found before
// those that are meant, so each is asked for by library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "own_peers.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#define	UNW_LOCAL_ONLY
#include <dlfcn.h>
#include <libunwind.h>
#include <unwind.h>

namespace {

template <typename function>
function
from_library(const char *library, const char *name)
{
	void *const opened = dlopen(library, RTLD_NOW);
	void *const found = opened != nullptr ? dlsym(opened, name) : nullptr;
	if (found == nullptr)
		std::abort();
	return reinterpret_cast<function>(found);
}

using backtrace_call = int (*)(void **, int);
using step_call = _Unwind_Reason_Code (*)(_Unwind_Context *, void *);
using walk_call = _Unwind_Reason_Code (*)(step_call, void *);
using pc_call = _Unwind_Ptr (*)(_Unwind_Context *);

backtrace_call	glibc_backtrace;
walk_call	libgcc_walk;
pc_call		libgcc_pc;

unsigned
by_stack_save(frames &f)
{
	stack_save(&f.st);
	return static_cast<unsigned>(f.st.depth);
}

// A malloc hook's array: the hook needs all the addresses and nothing else.
constexpr unsigned hook_frames = 32;

unsigned
by_hook(frames &f)
{
	if (stack9_save_self(f.pcs, hook_frames, 0, nullptr) != 0)
		return 0;
	if (f.pcs[hook_frames - 1] != 0)
		return hook_frames;
	return static_cast<unsigned>(std::find(f.pcs, f.pcs + hook_frames, 0) -
	    f.pcs);
}

unsigned
by_save_self(frames &f)
{
	stack9_self self{};
	self.size = sizeof self;
	return stack9_save_self(f.pcs, frames::room, 0, &self) == 0 ?
	    self.depth : 0;
}

// Stacks that differ are up to 20 frames deeper than the row says.
capture
ours(unsigned depth)
{
	if (depth <= STACK_MAX)
		return by_stack_save;
	if (depth <= hook_frames)
		return by_hook;
	return by_save_self;
}

unsigned
by_libunwind(frames &f)
{
	const int n = unw_backtrace(reinterpret_cast<void **>(f.pcs),
	    frames::room);
	return n > 0 ? static_cast<unsigned>(n) : 0;
}

unsigned
by_glibc(frames &f)
{
	const int n = glibc_backtrace(reinterpret_cast<void **>(f.pcs),
	    frames::room);
	return n > 0 ? static_cast<unsigned>(n) : 0;
}

struct so_far {
	frames		&f;
	unsigned	depth;
};

_Unwind_Reason_Code
libgcc_frame(_Unwind_Context *context, void *arg)
{
	so_far &s = *static_cast<so_far *>(arg);
	const std::uintptr_t pc = libgcc_pc(context);
	if (pc == 0 || s.depth == frames::room)
		return _URC_END_OF_STACK;
	s.f.pcs[s.depth++] = pc;
	return _URC_NO_REASON;
}

unsigned
by_libgcc(frames &f)
{
	so_far s{f, 0};
	libgcc_walk(libgcc_frame, &s);
	return s.depth;
}

// The words that a frame pointer probes to, on both CPUs.
struct link {
	const link	*outer;
	std::uintptr_t	pc;
};

[[gnu::noinline]] unsigned
by_loop(frames &f)
{
	auto *at = static_cast<const link *>(__builtin_frame_address(0));
	const auto *const limit = static_cast<const link *>(f.limit);
	unsigned n = 0;
	while (n < frames::room) {
		f.pcs[n++] = at->pc;
		const link *const outer = at->outer;
		if (outer <= at || outer >= limit)
			break;
		at = outer;
	}
	return n;
}

[[gnu::noinline]] unsigned
by_nobody(frames &)
{
	asm volatile("");
	return 0;
}

} // namespace

capture
peer_called(const char *name, unsigned depth)
{
	const std::string_view wanted = name;
	if (wanted == "stack9")
		return ours(depth);
	if (wanted == "libunwind")
		return by_libunwind;
	if (wanted == "loop")
		return by_loop;
	if (wanted == "nobody")
		return by_nobody;
	if (wanted == "glibc") {
		glibc_backtrace = from_library<backtrace_call>("libc.so.6",
		    "backtrace");
		return by_glibc;
	}
	if (wanted == "libgcc") {
		libgcc_walk = from_library<walk_call>("libgcc_s.so.1",
		    "_Unwind_Backtrace");
		libgcc_pc = from_library<pc_call>("libgcc_s.so.1",
		    "_Unwind_GetIP");
		return by_libgcc;
	}
	return nullptr;
}
