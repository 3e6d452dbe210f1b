// Counts the calls of malloc() by their stacks of up to 32 frames, and names
// those that were called most often when the program ends.
//
//	c++ -shared -fPIC -o malloc_hook.so malloc_hook.cc -lstack9
//	LD_PRELOAD=./malloc_hook.so program
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdio>
#include <mutex>
#include <unordered_map>
#include <vector>

#include <stack9.hpp>

extern "C" void *__libc_malloc(std::size_t size);

namespace {

using stack = stack9::self_stack<32>;

std::mutex lock;
thread_local int inside;	// what is called here may allocate, too

std::unordered_map<stack, long> &
calls()				// from the first call of malloc() to the end
{
	static auto *const map = new std::unordered_map<stack, long>;
	return *map;
}

[[gnu::destructor]] void
report()
{
	inside = 1;
	std::vector<std::pair<stack, long>> most(3);
	most.erase(std::partial_sort_copy(calls().begin(), calls().end(),
	    most.begin(), most.end(), [](const auto &a, const auto &b) {
		    return a.second > b.second;
	    }), most.end());
	for (const auto &[s, times] : most) {
		std::fprintf(stderr, "%ld calls:\n", times);
		for (const auto &f : s.frames())
			std::fprintf(stderr, "  %s\n", to_string(f).c_str());
	}
}

} // namespace

extern "C" void *
malloc(std::size_t size)
{
	if (inside++ == 0)
		if (stack s; s.save(1) == 0) {
			const std::lock_guard guard(lock);
			++calls()[s];
		}
	inside--;
	return __libc_malloc(size);
}
