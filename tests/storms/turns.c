/*
 * Becomes an ordinary user's and root's program in turn: two files of it, of
 * which one is set-user-ID, become each other by execve(2) for ever.  While it
 * has root's rights it is in a function at an address of its own, so a frame
 * shows what it was allowed to do.
 *
 *	plain ROOT: becomes the file ROOT after a moment; that becomes plain
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <sys/prctl.h>

#include <poll.h>
#include <signal.h>
#include <unistd.h>

__attribute__((noinline, section(".privileged"))) static int
stay_as_root(void)
{
	return (poll(NULL, 0, 1) + 1);
}

__attribute__((noinline)) static int
stay_as_user(void)
{
	return (poll(NULL, 0, 1) + 1);
}

int
main(int argc, char **argv)
{
	const uid_t self = getuid();

	if (argc != 2)
		return (64);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == 1)
		return (1);
	/* A program that is traced during its execve(2) gains nothing. */
	if (geteuid() == self)
		stay_as_user();
	else if (stay_as_root() < 0 || setresuid(self, self, self) != 0)
		return (71);
	execl(argv[1], argv[1], argv[0], NULL);
	return (71);
}
