// Intercepts stack9_frames() in a program that it is preloaded into, and
// withholds names of the kernel's functions.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>

#include <dlfcn.h>
#include <stack9.h>

namespace {

struct next {
	stack9_frame_fn	*fn;
	void		*arg;
};

int
hide(void *arg, const stack9_frame *f)
{
	const next &to = *static_cast<next *>(arg);
	stack9_frame hidden = *f;
	if (f->flags & STACK9_FRAME_KERNEL) {
		hidden.flags |= STACK9_FRAME_HIDDEN;
		hidden.name = hidden.linkage = "";
	}
	return to.fn(to.arg, &hidden);
}

} // namespace

int
stack9_frames(const stack9_stack *s, unsigned int flags, stack9_frame_fn *fn,
    void *arg)
{
	static const auto real = reinterpret_cast<decltype(&stack9_frames)>(
	    dlsym(RTLD_NEXT, "stack9_frames"));
	next to{fn, arg};
	return real == nullptr ? ENOSYS : real(s, flags, hide, &to);
}
