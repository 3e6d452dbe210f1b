// Calls JIT code from a function without a frame pointer.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "robust_code.h"

#include "robust_truth.h"

[[gnu::noinline]] void
call_without_frame_pointer(const jit_code &code, void (*fn)(void *), void *arg)
{
	char frame[200];
	keep(frame);
	code.call(fn, arg);
	keep(frame);
}
