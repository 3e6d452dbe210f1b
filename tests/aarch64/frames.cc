// Tests walks through frames of all sorts, and through stacks that change.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdarg>
#include <cstdlib>

#include <alloca.h>

#include "check.h"

#include "unwind/generation.h"

namespace {

using last_call = void (*)();

[[gnu::noinline]] void go_on(int depth, last_call last);

// Twins: one may be where the other was, with the same frames further in.
template <int Twin>
[[gnu::noinline]] void
small(int depth, last_call last)
{
	go_on(depth, last);
	asm volatile("" :: "r"(Twin));
}

template <int Twin>
[[gnu::noinline]] void
medium(int depth, last_call last)
{
	char frame[520];
	keep(frame);
	go_on(depth, last);
	asm volatile("" :: "r"(Twin), "r"(frame) : "memory");
}

// Too large for an immediate operand: sp changes in two steps.
[[gnu::noinline]] void
large(int depth, last_call last)
{
	char frame[70000];
	keep(frame);
	go_on(depth, last);
	keep(frame);
}

// The CFA is by x29, whatever the code was built with.
[[gnu::noinline]] void
variable(int depth, last_call last)
{
	char *const frame = static_cast<char *>(
	    alloca(static_cast<std::size_t>(depth % 7 * 100 + 16)));
	keep(frame);
	go_on(depth, last);
	keep(frame);
}

[[gnu::noinline]] void
aligned(int depth, last_call last)
{
	alignas(128) char frame[300];
	keep(frame);
	go_on(depth, last);
	keep(frame);
}

[[gnu::noinline]] void
many_arguments(int depth, last_call last, ...)
{
	std::va_list more;
	va_start(more, last);
	const double d = va_arg(more, double);
	go_on(depth + (d > 5), last);
	va_end(more);
	keep(&depth);
}

[[gnu::noinline]] void
variadic(int depth, last_call last)
{
	many_arguments(depth, last, 1.5, 2, 3l, 4.5, depth);
	keep(nullptr);
}

// All that a callee has to keep is in use across the call.
[[gnu::noinline]] void
busy(int depth, last_call last)
{
	std::uintptr_t a[11];
	double d[8];
	for (int i = 0; i < 11; i++)
		asm volatile("mov %0, %1" : "=r"(a[i]) : "r"(long{i + depth}));
	for (int i = 0; i < 8; i++)
		asm volatile("fmov %d0, xzr" : "=w"(d[i]));
	go_on(depth, last);
	for (const std::uintptr_t v : a)
		asm volatile("" :: "r"(v));
	for (const double v : d)
		asm volatile("" :: "w"(v));
}

constexpr void (*shapes[])(int, last_call) = {small<0>, small<1>, medium<0>,
	medium<1>, variable, aligned, variadic, busy, large};
constexpr unsigned int shape_count = sizeof shapes / sizeof shapes[0];

[[gnu::noinline]] void
go_on(int depth, last_call last)
{
	if (depth == 0)
		last();
	else
		shapes[static_cast<unsigned int>(depth) % shape_count](
		    depth - 1, last);
	keep(&depth);
}

unsigned int
random_below(unsigned int n)
{
	static std::uint32_t state = 0x2545f491;
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state % n;
}

int captures, level;

// A tree of calls, each walked through in an order that nobody foresees: the
// memo meets frames that are the same, gone, and others in the same place.
[[gnu::noinline]] void
tree()
{
	level++;
	for (unsigned int calls = random_below(4); calls > 0; calls--) {
		captures--;
		must_agree("in a tree");
		if (level < 60 && captures > 0)
			shapes[random_below(shape_count - 1)](0, tree);
		if (random_below(2) == 0)
			must_agree("in a tree, elsewhere", 2);
	}
	level--;
}

void
compare()
{
	must_agree("at the end of a recursion", 3);
	must_agree("at another place there");
}

} // namespace

void
through_frames(int depth, void (*last)())
{
	go_on(depth, last);
	keep(nullptr);
}

SCENARIO(loader, "the loader's counts are found")
{
	must(stack9::unwind::code_generation.known(), "known()");
}

SCENARIO(recursion, "walk_own() finds what backtrace(3) finds, however deep")
{
	for (const int depth : {1, 2, 5, 20, 120, 119, 60, 61, 200})
		through_frames(depth, compare);
}

SCENARIO(trees, "walk_own() finds what backtrace(3) finds while stacks change")
{
	for (captures = 1500; captures > 0;)
		tree();
}
