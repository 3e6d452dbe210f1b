/*
 * Is a library whose function makes a system call.  FUNCTION is its name, ROOM
 * the size of its frame, so that each library has another rule at one address.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/syscall.h>
#include <unistd.h>

void
FUNCTION(void)
{
	volatile char own[ROOM];

	own[0] = 1;
	syscall(SYS_getppid);
	own[ROOM - 1] = own[0];
}
