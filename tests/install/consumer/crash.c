/*
 * Has its crashes reported, as a program outside the tree.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stack9_crash.h>

int
main(void)
{

	return (stack9_crash_install(2, STACK9_CRASH_ONE_THREAD) != 0 ||
	    stack9_crash_thread() != 0);
}
