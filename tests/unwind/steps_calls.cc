// Defines the parts that call what programs call: the C and C++ libraries, and
// the kernel's code in the process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "steps_work.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>

namespace steps {

namespace {

void
clocks()
{
	timespec now;
	timeval wall;
	for (const clockid_t c : {CLOCK_REALTIME, CLOCK_MONOTONIC,
	    CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME, CLOCK_THREAD_CPUTIME_ID})
		clock_gettime(c, &now);
	gettimeofday(&wall, nullptr);
	use(time(nullptr));
	use(sched_getcpu());
}

int
compare(const void *a, const void *b)
{
	return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

void
sorting()
{
	int numbers[40];
	for (int i = 0; i < 40; i++)
		numbers[i] = i * 17 % 40;
	std::qsort(numbers, 40, sizeof *numbers, compare);
	std::sort(std::begin(numbers), std::end(numbers), std::greater<>());
	use(numbers);
}

void
heap()
{
	for (const std::size_t size : {1, 100, 5000, 300000}) {
		void *p = std::malloc(size);
		use(p);
		p = std::realloc(p, size * 2);
		std::free(p);
	}
	use(*std::make_shared<std::string>(100, 'x'));
}

void
containers()
{
	std::map<std::string, int> count;
	std::vector<std::function<int(int)>> each;
	for (int i = 0; i < 30; i++) {
		count[std::to_string(i * 7 % 11) + " is a longer string"]++;
		each.emplace_back([i](int x) { return x + i; });
	}
	use(std::accumulate(each.begin(), each.end(), 0,
	    [](int sum, const auto &f) { return f(sum); }));
	use(count);
}

void
texts()
{
	char text[200];
	std::snprintf(text, sizeof text, "%d %s %-20s|%a %p 3.14", 12,
	    "words", "left", 0.1, text);
	use(std::strtol(" -99", nullptr, 10));
	use(std::strstr(text, "3.1"));
	use(std::strlen(text));
	std::memmove(text + 1, text, sizeof text - 1);
}

// The multiple-precision arithmetic that this calls is written in assembly
// language, and its unwind information does not know of its pushes.  In glibc
// 2.41 a function that checks runs on into the next one, through the padding
// between the two, where there is no unwind information.
void
decimals()
{
	char text[64];
	std::snprintf(text, sizeof text, "%8.3f %Lg", 3.14159, 1e300L);
	use(std::strtod("1234.5678e-12", nullptr));
}

int	(*glibc_backtrace)(void **, int);

// libunwind.so has one, too.  It blocks signals.
void
find_backtrace()
{
	void *libc = dlopen("libc.so.6", RTLD_LAZY);
	glibc_backtrace = reinterpret_cast<int (*)(void **, int)>(
	    dlsym(libc, "backtrace"));
	void *pcs[1];
	glibc_backtrace(pcs, 1);	// loads libgcc_s
}

void
other_unwinder()
{
	void *pcs[64];
	use(glibc_backtrace(pcs, 64));
}

constexpr part parts[]{
	{.name = "clocks", .work = clocks},
	{.name = "sorting", .work = sorting},
	{.name = "heap", .work = heap},
	{.name = "containers", .work = containers},
	{.name = "texts", .work = texts},
	{.name = "decimals", .work = decimals, .misled = 200,
	    .unknown = 8},
	{.name = "backtrace", .work = other_unwinder,
	    .prepare = find_backtrace, .library = true},
};

} // namespace

std::span<const part>
parts_of_calls() noexcept
{
	return parts;
}

} // namespace steps
