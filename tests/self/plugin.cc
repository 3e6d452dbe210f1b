// Defines a library's one function.  It waits for a byte.  It saves its
// caller's frame pointer where a walk finds it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>

#include <sys/syscall.h>
#include <unistd.h>

extern "C" __attribute__((visibility("default"))) int
plugin_read(int fd, std::uintptr_t *returns)
{
	char c;
	*returns = reinterpret_cast<std::uintptr_t>(
	    __builtin_return_address(0));
#if defined(__x86_64__)
	asm volatile("" ::: "rbp");
#elif defined(__aarch64__)
	asm volatile("" ::: "x29");
#endif
	// A sanitizer's read() would come between, and use that register.
	const int n = static_cast<int>(syscall(SYS_read, fd, &c, 1));
	asm volatile("" ::: "memory");
	return n;
}
