// Tests walks on stacks that a program switches to by itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>

#include <ucontext.h>

#include "check.h"

namespace {

ucontext_t inside, outside;

void
pause_here()
{
	must_agree("in a context", 2);
	swapcontext(&inside, &outside);
	must_agree("in a context, again", 2);
}

void
run_inside()
{
	through_frames(25, pause_here);
	through_frames(7, pause_here);
}

} // namespace

SCENARIO(contexts, "a walk ends where makecontext(3) began")
{
	constexpr std::size_t size = 512 << 10;
	getcontext(&inside);
	inside.uc_stack.ss_sp = std::malloc(size);
	inside.uc_stack.ss_size = size;
	inside.uc_link = &outside;
	makecontext(&inside, run_inside, 0);
	for (int i = 0; i < 3; i++) {
		swapcontext(&outside, &inside);
		must_agree("between contexts");
	}
	std::free(inside.uc_stack.ss_sp);
}
