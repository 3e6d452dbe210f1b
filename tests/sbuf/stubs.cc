// Defines the stubs that the linker gives the library for the print sink,
// calloc, free and nanosleep.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stubs.h"

#include <cerrno>
#include <cstdlib>
#include <ctime>

namespace stack9_test {

std::string printed;
int work_next;
int fail_next;
int allocations;
int live;
int naps;
long napped_ns;

} // namespace stack9_test

using namespace stack9_test;

namespace stack9 {

int
drain_print(void *, const char *text, int len) noexcept
{
	printed.append(text, static_cast<std::size_t>(len));
	return len;
}

} // namespace stack9

extern "C" {

void *__real_calloc(std::size_t n, std::size_t size);

void *
__wrap_calloc(std::size_t n, std::size_t size)
{
	allocations++;
	if (work_next > 0)
		work_next--;
	else if (fail_next > 0) {
		fail_next--;
		errno = ENOMEM;
		return nullptr;
	}
	live++;
	return __real_calloc(n, size);
}

void __real_free(void *p);

void
__wrap_free(void *p)
{
	live -= p != nullptr;
	__real_free(p);
}

int
__wrap_nanosleep(const timespec *how_long, timespec *)
{
	naps++;
	napped_ns += how_long->tv_sec * 1000000000 + how_long->tv_nsec;
	return 0;
}

} // extern "C"
