// Sets jemalloc's hook for the stacks of its heap profiles.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>

#include <dlfcn.h>

#include <stack9_backtrace.h>

extern "C" int
stack9_set_jemalloc(stack9_mallctl_fn *mallctl)
{
	if (mallctl == nullptr)
		mallctl = reinterpret_cast<stack9_mallctl_fn *>(
		    dlsym(RTLD_DEFAULT, "mallctl"));
	if (mallctl == nullptr)
		return EOPNOTSUPP;
	void (*hook)(void **, unsigned int *, unsigned int) =
	    stack9_jemalloc_backtrace;
	const int error = mallctl("experimental.hooks.prof_backtrace", nullptr,
	    nullptr, &hook, sizeof hook);
	return error == ENOENT ? EOPNOTSUPP : error;
}
