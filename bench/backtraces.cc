// Measures captures by the calls that libstack9_backtrace intercepts: run it by
// itself and with LD_PRELOAD.
//
//	build/bench/backtraces
//	LD_PRELOAD=build/preload/libstack9_backtrace.so build/bench/backtraces
//
// A program of another library gives a function for each of that library's
// captures.  It is built with the library as LIBRARY (see the folder's
// CMakeLists.txt).
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include <execinfo.h>
#include <unwind.h>

#include "own_clock.h"
#include "backtraces.h"

namespace {

constexpr int most = 128;
void *pcs[most];

int
by_backtrace()
{
	return backtrace(pcs, most);
}

struct trace {
	int n = 0;
};

_Unwind_Reason_Code
store(_Unwind_Context *c, void *arg)
{
	trace &t = *static_cast<trace *>(arg);
	pcs[t.n++] = reinterpret_cast<void *>(_Unwind_GetIP(c));
	return t.n == most ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

int
by_unwind_backtrace()
{
	trace t;
	_Unwind_Backtrace(store, &t);
	return t.n;
}

#ifdef WITH_LIBUNWIND
extern "C" int unw_backtrace(void **, int);
int
by_unw_backtrace()
{
	return unw_backtrace(pcs, most);
}
#endif

struct figure {
	double	ns;
	int	frames;
};

// The best of some rounds, at the end of n calls.
[[gnu::noinline]] figure
measure(int n, int (*capture)())
{
	if (n > 0) {
		const figure f = measure(n - 1, capture);
		__asm__ volatile("" : : : "memory");
		return f;
	}
	figure best{1e12, 0};
	for (int i = 0; i < 200; i++)
		best.frames = capture();
	for (int round = 0; round < 30; round++) {
		const double start = now_ns();
		for (int i = 0; i < 500; i++) {
			capture();
			fence();
		}
		best.ns = std::min(best.ns, (now_ns() - start) / 500);
	}
	return best;
}

// As many calls as lead to that many frames.
void
say(const backtraces::by &b)
{
	std::printf("%-24s", b.name);
	const int base = measure(0, b.capture).frames;
	for (const int frames : {8, 18, 32}) {
		const figure f = measure(std::max(0, frames - base),
		    b.capture);
		std::printf("  %3d: %8.1f ns", f.frames, f.ns);
	}
	std::puts("");
}

} // namespace

int
main()
{
	const backtraces::by calls[] = {
		{"backtrace", by_backtrace},
		{"_Unwind_Backtrace", by_unwind_backtrace},
#ifdef WITH_LIBUNWIND
		{"unw_backtrace", by_unw_backtrace},
#endif
	};
	for (const backtraces::by &b : calls)
		say(b);
#ifdef LIBRARY
	for (const backtraces::by &b : backtraces::of_library())
		say(b);
#endif
}
