// Makes calls of a known depth, and captures them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include <dlfcn.h>
#include <execinfo.h>
#include <unwind.h>

namespace preload_test {

using pcs = std::vector<std::uintptr_t>;

// Calls f at the end of n more frames of its own.
template <class F>
[[gnu::noinline]] void
deep(int n, F &f)
{
	if (n == 0)
		f();
	else
		deep(n - 1, f);
	__asm__ volatile("" : : : "memory");
}

template <class Function>
Function *
call_of(const char *library, const char *name)
{
	void *const handle = dlopen(library, RTLD_NOW);
	return handle == nullptr ? nullptr :
	    reinterpret_cast<Function *>(dlsym(handle, name));
}

using capture_fn = int(void **, int);

// One call site for both, so that all their addresses are the same.
[[gnu::noinline]] inline pcs
capture_by(capture_fn *f, int max = 256)
{
	void *raw[256];
	const int n = f(raw, max);
	pcs all;
	for (int i = 0; i < n; i++)
		all.push_back(reinterpret_cast<std::uintptr_t>(raw[i]));
	return all;
}

} // namespace preload_test
