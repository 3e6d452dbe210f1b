// Maps libunwind when a call of it is made first, for a program that holds the
// library but takes no stack of its own: it has two libraries fewer to map at
// its start.  The archive of libunwind is for programs that are not
// position-independent.
//
// SPDX-License-Identifier: BSD-2-Clause
#define	UNW_LOCAL_ONLY
#include <libunwind.h>

#include <dlfcn.h>
#include <ucontext.h>

namespace {

// nullptr: there is no such library, or no such function.
void *
function_of(const char *name)
{
	static void *const library = dlopen("libunwind.so.8",
	    RTLD_NOW | RTLD_LOCAL);
	return library == nullptr ? nullptr : dlsym(library, name);
}

} // namespace

// The names of <libunwind.h> are macros, one way for each CPU.
#define	NAME_OF(f)	#f
#define	LATE(f, parameters, arguments)					\
extern "C" int								\
f parameters								\
{									\
	static auto *const there = reinterpret_cast<int (*) parameters>(\
	    function_of(NAME_OF(f)));					\
	return there == nullptr ? -UNW_EUNSPEC : there arguments;	\
}

LATE(unw_init_local, (unw_cursor_t *c, unw_context_t *u), (c, u))
LATE(unw_step, (unw_cursor_t *c), (c))
LATE(unw_get_reg, (unw_cursor_t *c, int r, unw_word_t *w), (c, r, w))
LATE(unw_get_proc_info, (unw_cursor_t *c, unw_proc_info_t *i), (c, i))
LATE(unw_get_save_loc, (unw_cursor_t *c, int r, unw_save_loc_t *l), (c, r, l))

extern "C" int
unw_backtrace(void **frames, int most)
{
	static auto *const there = reinterpret_cast<int (*)(void **, int)>(
	    function_of("unw_backtrace"));
	return there == nullptr ? 0 : there(frames, most);
}

#ifdef __x86_64__
// The C library's fills the same structure.  It is not called, but jumped to:
// the registers wanted are those of the caller.
extern "C" [[gnu::naked]] int
unw_tdep_getcontext(unw_tdep_context_t *)
{
	asm("jmp getcontext@PLT");
}
#endif
