/*
 * Loads a C++ plugin into a C program linked with libstack9 alone: exceptions
 * must be libgcc_s's, though libstack9 has libunwind and that offers them too.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define	_GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <stack9/sys/stack.h>

int
main(int argc, char **argv)
{
	struct stack st;
	Dl_info info;
	void *raise, *plugin;
	int (*caught)(void);

	stack_save(&st);
	raise = dlsym(RTLD_DEFAULT, "_Unwind_RaiseException");
	if (raise == NULL || dladdr(raise, &info) == 0)
		return (1);
	puts(info.dli_fname);
	if (strstr(info.dli_fname, "/libgcc_s.so") == NULL)
		return (2);
	plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (plugin == NULL)
		return (3);
	*(void **)&caught = dlsym(plugin, "caught");
	return (caught != NULL && caught() ? 0 : 4);
}
