/*
 * Checks that the captures of a program that knows nothing of stack9 and is
 * linked with libstack9_backtrace are those of that library.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define	_GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <string.h>

int
main(void)
{
	void *pcs[16];
	Dl_info info;

	return (backtrace(pcs, 16) < 2 ||
	    dladdr(dlsym(RTLD_DEFAULT, "_Unwind_Backtrace"), &info) == 0 ||
	    strstr(info.dli_fname, "libstack9_backtrace") == NULL ||
	    dladdr(dlsym(RTLD_DEFAULT, "backtrace"), &info) == 0 ||
	    strstr(info.dli_fname, "libstack9_backtrace") == NULL);
}
