// Declares the two libraries that are bound lazily; see steps_outer.cc.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace steps::library {

#pragma GCC visibility push(default)
extern "C" {
long inner_add(long, long);
double inner_many(double, long, long, long, long, long, long, long, long);
long inner_variadic(int n, ...);
long inner_call(long (*)(long), long);
long inner_tail(long (*)(long), long);
[[noreturn]] void inner_throw(int);

long outer_run(long);
}
#pragma GCC visibility pop

using run = long (*)(long);

} // namespace steps::library
