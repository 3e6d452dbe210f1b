// Defines the library that steps_outer.cc calls, each function for the first
// time by way of the dynamic linker.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "steps_library.h"

#include <cstdarg>

namespace steps::library {

long
inner_add(long a, long b)
{
	return a + b;
}

// The sixth and later arguments are above the return address, and vector
// registers are kept over the binding.
double
inner_many(double x, long a, long b, long c, long d, long e, long f, long g,
    long h)
{
	return x * static_cast<double>(a + b + c + d + e + f + g + h);
}

long
inner_variadic(int n, ...)
{
	va_list list;
	va_start(list, n);
	long sum = 0;
	while (n-- > 0)
		sum += va_arg(list, long);
	va_end(list);
	return sum;
}

long
inner_call(long (*f)(long), long x)
{
	return f(x) + 1;
}

long
inner_tail(long (*f)(long), long x)
{
	return f(x + 1);
}

void
inner_throw(int what)
{
	throw what;
}

} // namespace steps::library
