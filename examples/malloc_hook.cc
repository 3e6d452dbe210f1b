// Counts the calls of malloc() by their stacks of up to 32 frames, and names
// those that were called most often when the program ends.
//
//	c++ -shared -fPIC -o malloc_hook.so malloc_hook.cc -lstack9
//	LD_PRELOAD=./malloc_hook.so program
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <map>
#include <mutex>
#include <unordered_map>

#include <stack9.hpp>

extern "C" void *__libc_malloc(std::size_t size);

using stack = stack9::self_stack<32>;

static std::mutex lock;
static thread_local int inside;	// what is called here may allocate, too

static std::unordered_map<stack, long> &
calls()				// from the first call of malloc() to the end
{
	static auto *const map = new std::unordered_map<stack, long>;
	return *map;
}

[[gnu::destructor]] static void
report()
{
	inside = 1;
	std::multimap<long, stack, std::greater<>> most;
	for (const auto &[s, times] : calls())
		most.emplace(times, s);
	for (int left = 3; const auto &[times, s] : most)
		if (left-- > 0) {
			std::fprintf(stderr, "%ld calls:\n", times);
			for (const auto &f : s.frames())
				std::fprintf(stderr, "  %s\n",
				    to_string(f).c_str());
		}
}

extern "C" void *
malloc(std::size_t size)
{
	if (stack s; inside++ == 0 && s.save(1) == 0) {
		const std::lock_guard guard(lock);
		++calls()[s];
	}
	inside--;
	return __libc_malloc(size);
}
