// Implements _Unwind_Backtrace().  It calls the function for the same frames,
// with the same end, and returns the same value as libgcc's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"
#include "libgcc.h"
#include "unwind/generation.h"
#include "unwind/walk.h"

namespace stack9::preload {
namespace {

// The program counters of so many frames are found at once, by the memo of the
// thread; the frames after them, some at a time.
constexpr std::uint32_t remembered_most = 64, at_once = 16;

// libgcc's walk without its first frames: the function has seen those.
struct rest {
	_Unwind_Trace_Fn	 fn;
	void			*arg;
	std::uintptr_t		 sp;	// of the frame that called us
	std::uint32_t		 seen;
	bool			 begun;
};

_Unwind_Reason_Code
pass_rest(_Unwind_Context *c, void *arg)
{
	rest &r = *static_cast<rest *>(arg);
	if (!r.begun && next_get_cfa.get()(c) != r.sp)
		return _URC_NO_REASON;
	r.begun = true;
	if (r.seen == 0)
		return r.fn(c, r.arg);
	r.seen--;
	return _URC_NO_REASON;
}

// libgcc's walk begins further in, so it has frames of ours in front.
_Unwind_Reason_Code
walk_by_libgcc(_Unwind_Trace_Fn fn, void *arg, const unwind::frame &first,
    std::uint32_t seen)
{
	auto *const next = next_backtrace.get();
	rest r{fn, arg, first.sp, seen, false};
	return next == nullptr ? _URC_FATAL_PHASE1_ERROR : next(pass_rest, &r);
}

// libgcc reports an outermost frame whose address is 0.  Only libgcc knows its
// stack pointer.
_Unwind_Reason_Code
end(_Unwind_Trace_Fn fn, void *arg, context &c, std::uint32_t seen)
{
	c.is(seen, 0);
	return fn(c.opaque(), arg) == _URC_NO_REASON ? _URC_END_OF_STACK :
	    _URC_FATAL_PHASE1_ERROR;
}

// Goes on after the first frames: the function has seen those.
[[gnu::noinline]] _Unwind_Reason_Code
walk_on(_Unwind_Trace_Fn fn, void *arg, context &c,
    const unwind::frame &first, std::uint32_t seen)
{
	using unwind::stop;
	unwind::own_steps steps(first);
	unwind::stepped_frame some[at_once];
	std::uint32_t at = 0;	// of some[0] in the stack
	while (steps.how() == stop::limit) {
		const std::uint32_t n = steps.take(some, at_once);
		for (std::uint32_t i = 0; i < n; i++) {
			if (at + i < seen)
				continue;
			c.is(at + i, some[i]);
			if (fn(c.opaque(), arg) != _URC_NO_REASON)
				return _URC_FATAL_PHASE1_ERROR;
		}
		at += n;
	}
	if (steps.how() == stop::stuck)
		return walk_by_libgcc(fn, arg, first, at > seen ? at : seen);
	return steps.how() == stop::no_info ? _URC_END_OF_STACK :
	    end(fn, arg, c, at);
}

} // namespace
} // namespace stack9::preload

using namespace stack9;
using namespace stack9::preload;

extern "C" _Unwind_Reason_Code
_Unwind_Backtrace(_Unwind_Trace_Fn fn, void *arg)
{
	const unwind::frame first = STACK9_FRAME();
	if (!unwind::code_generation.known())
		return walk_by_libgcc(fn, arg, first, 0);
	context c(first);
	std::uintptr_t pcs[remembered_most];
	const unwind::quick_walk w = unwind::walk_own(first.pc, first.sp,
	    first.fp, pcs, remembered_most);
	// A walk that ends early is made again, to see how it ends.
	const std::uint32_t n = w.whole || w.depth == remembered_most ?
	    w.depth : 0;
	for (std::uint32_t i = 0; i < n; i++) {
		c.is(i, pcs[i]);
		if (fn(c.opaque(), arg) != _URC_NO_REASON)
			return _URC_FATAL_PHASE1_ERROR;
	}
	return w.whole ? end(fn, arg, c, n) : walk_on(fn, arg, c, first, n);
}
