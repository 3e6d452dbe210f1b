// Calls another library from a library: each call is bound when it is first
// made.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "steps_library.h"

namespace steps::library {

namespace {

long
twice(long x)
{
	return inner_add(x, x);
}

// Through the procedure linkage table without a frame of its own.
[[gnu::noinline]] long
to_the_tail(long x)
{
	return inner_tail(twice, x);
}

[[gnu::noinline]] long
caught(int what)
{
	try {
		inner_throw(what);
	} catch (int e) {
		return e;
	}
}

} // namespace

long
outer_run(long x)
{
	long sum = inner_add(x, 1);
	sum += static_cast<long>(inner_many(1.5, 1, 2, 3, 4, 5, 6, 7, x));
	sum += inner_variadic(7, 1L, 2L, 3L, 4L, 5L, 6L, x);
	sum += inner_call(twice, x);
	sum += to_the_tail(x);
	return sum + caught(4);
}

} // namespace steps::library
