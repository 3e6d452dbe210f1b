// Defines the call tree.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "own_tree.h"

#include <array>
#include <utility>

#include <alloca.h>

namespace {

using node_call = void (*)(walker &);
constexpr unsigned width = 64;
extern const std::array<node_call, width> nodes;

// A frame whose size only the run knows makes the function keep a frame
// pointer, in whatever code.
template <unsigned i>
[[gnu::always_inline]] inline void
take_room([[maybe_unused]] walker &w)
{
	char fixed[8 + i * 7 % 13 * 4];
	asm volatile("" : : "r"(fixed) : "memory");
	if constexpr (i % 16 == 5) {
		void *const varied = alloca(16 + w.random % 64);
		asm volatile("" : : "r"(varied) : "memory");
	}
}

template <unsigned i>
[[gnu::noinline]] void
node(walker &w)
{
	take_room<i>(w);
	const unsigned me = ++w.depth;
	const std::uint64_t kept = w.random;
	const std::uint64_t more = i % 3 == 0 ? w.sum + i : 0;
	do {
		if (me == w.target) {
			w.leaf();
			continue;
		}
		const std::uint32_t way = w.next() >> 8;
		// Not merged into one call: the two statements differ.
		if (way & width) {
			nodes[way % width](w);
			asm volatile("" : : "i"(0));
		} else {
			nodes[way % width](w);
			asm volatile("" : : "i"(1));
		}
	} while (w.low >= me);
	w.depth = me - 1;
	w.sum += kept ^ more;
}

template <unsigned... i>
constexpr std::array<node_call, width>
all_nodes(std::integer_sequence<unsigned, i...>)
{
	return {node<i>...};
}

constinit const std::array<node_call, width> nodes = all_nodes(
    std::make_integer_sequence<unsigned, width>());

} // namespace

void
walk_tree(walker &w, unsigned target, std::uint32_t seed)
{
	w.depth = 0;
	w.target = target;
	w.low = 0;
	w.random = seed;
	nodes[0](w);
}
