// Implements _Unwind_Backtrace().  It calls the function for the same frames,
// with the same end, and returns the same value as libgcc's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"
#include "libgcc.h"
#include "origin.h"
#include "unwind/generation.h"

namespace stack9::preload {
namespace {

// A program asks for the next frame one at a time, and most stop early.
constexpr std::uint32_t at_once = 16;

// libgcc's walk without its first frames, which the function has seen.
struct rest {
	_Unwind_Trace_Fn	 fn;
	void			*arg;
	std::uint32_t		 seen;
};

_Unwind_Reason_Code
pass_rest(_Unwind_Context *c, void *arg)
{
	rest &r = *static_cast<rest *>(arg);
	if (r.seen == 0)
		return r.fn(c, r.arg);
	r.seen--;
	return _URC_NO_REASON;
}

// libgcc's walk begins in this function, so it has one frame more.
[[gnu::noinline]] _Unwind_Reason_Code
walk_by_libgcc(_Unwind_Trace_Fn fn, void *arg, std::uint32_t seen)
{
	auto *const next = next_backtrace.get();
	rest r{fn, arg, seen + 2};
	const _Unwind_Reason_Code code = next == nullptr ?
	    _URC_FATAL_PHASE1_ERROR : next(pass_rest, &r);
	__asm__ volatile("" : : : "memory");	// no call in last position
	return code;
}

// libgcc reports an outermost frame whose address is 0.  Only libgcc knows its
// stack pointer.
_Unwind_Reason_Code
end(_Unwind_Trace_Fn fn, void *arg, context &c)
{
	c.at = {0, 0, false};
	return fn(c.opaque(), arg) == _URC_NO_REASON ? _URC_END_OF_STACK :
	    _URC_FATAL_PHASE1_ERROR;
}

} // namespace
} // namespace stack9::preload

using namespace stack9;
using namespace stack9::preload;

extern "C" _Unwind_Reason_Code
_Unwind_Backtrace(_Unwind_Trace_Fn fn, void *arg)
{
	using unwind::stop;
	if (!unwind::code_generation.known())
		return walk_by_libgcc(fn, arg, 0);
	unwind::own_steps steps(STACK9_FRAME());
	unwind::stepped_frame some[at_once];
	context c;
	std::uint32_t seen = 0;
	while (steps.how() == stop::limit) {
		const std::uint32_t n = steps.take(some, at_once);
		for (std::uint32_t i = 0; i < n; i++) {
			c.at = some[i];
			if (fn(c.opaque(), arg) != _URC_NO_REASON)
				return _URC_FATAL_PHASE1_ERROR;
		}
		seen += n;
	}
	if (steps.how() == stop::stuck)
		return walk_by_libgcc(fn, arg, seen);
	return steps.how() == stop::no_info ? _URC_END_OF_STACK :
	    end(fn, arg, c);
}
