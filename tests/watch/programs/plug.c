/*
 * Is a library whose function makes a system call.  FUNCTION is its name, ROOM
 * the size of its frame, so that each library has another rule at one address.
 * The frame is full of an address: who leaves it by the rule of the other
 * library finds that one as the return address.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/syscall.h>
#include <unistd.h>

void
FUNCTION(void *address)
{
	void *volatile own[ROOM / sizeof(void *)];

	for (unsigned i = 0; i < ROOM / sizeof(void *); i++)
		own[i] = address;
	syscall(SYS_getppid);
	own[0] = own[1];
}
