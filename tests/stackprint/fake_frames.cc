// Names the frames of the fake library: of its kernel, and of stacks that are
// text.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "fake_sample.h"

#include <cerrno>
#include <cstdio>

#include <stack9.h>

using namespace fake;

namespace {

struct function {
	std::uintptr_t	 start, size;
	const char	*name, *module;
};

const function functions[] = {
	{text_start + 0x0000, 0x1000, "schedule", ""},
	{text_start + 0x1000, 0x1000, "ep_poll", ""},
	{text_start + 0x2000, 0x0100, "do_exit", ""},
	{text_start + 0x2100, 0x0100, "next_function", ""},
	{text_start + 0x3000, 0x1000, "bad\033[2J\\name\n", "m\001d"},
	{0xffffffffc0000000, 0x1000, "nft_do_chain", "nf_tables"},
};

stack9_frame
kernel_frame(std::uint32_t index, unsigned int flags)
{
	stack9_frame f{};
	f.kind = STACK9_FRAME_FUNCTION;
	f.flags = STACK9_FRAME_KERNEL | flags;
	f.index = index;
	f.name = f.linkage = f.module = f.file = "";
	return f;
}

int
name_kernel(std::uint64_t pc, bool exact, stack9_frame_fn *fn, void *arg)
{
	stack9_frame f = kernel_frame(0, exact ? STACK9_FRAME_EXACT : 0);
	f.pc = pc;
	if (asked_for("names-hidden"))
		f.flags |= STACK9_FRAME_HIDDEN;
	const std::uint64_t at = pc - !exact;
	for (const function &k : functions)
		if (!asked_for("names-hidden") && at >= k.start &&
		    at - k.start < k.size) {
			f.name = f.linkage = k.name;
			f.module = k.module;
			f.offset = pc - k.start;
			f.size = k.size;
		}
	return fn(arg, &f) != 0 ? ECANCELED : 0;
}

} // namespace

extern "C" int
stack9_frame_at(struct stack9_space *space, uint64_t pc, unsigned int flags,
    stack9_frame_fn *fn, void *arg)
{
	return space != nullptr ? name_user(space, pc, flags, fn, arg) :
	    name_kernel(pc, (flags & STACK9_FRAMES_RETURN) == 0, fn, arg);
}

// Serves only stacks that are text: no others are asked for.
extern "C" int
stack9_frames(const struct stack9_stack *stack, unsigned int,
    stack9_frame_fn *fn, void *arg)
{
	for (std::uint32_t i = 0; i < stack->depth; i++) {
		stack9_frame f = kernel_frame(i, STACK9_FRAME_NO_PC);
		char name[64] = "", module[64] = "";
		std::sscanf(stack->text[i], "%63[^+]+%lx/%lx [%63[^]]]", name,
		    &f.offset, &f.size, module);
		f.name = f.linkage = name;
		f.module = module;
		if (fn(arg, &f) != 0)
			return ECANCELED;
	}
	return 0;
}
