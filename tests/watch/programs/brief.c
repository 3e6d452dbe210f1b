/*
 * Starts CHILDREN children one after the other (brief CHILDREN).  Each runs
 * this program again, makes three system calls in its own function, and exits.
 * The program prints how many there were.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "stage.h"

void briefly(void);

void
briefly(void)
{
	for (int i = 0; i < 3; i++)
		syscall(SYS_getppid);
	asm volatile("" ::: "memory");
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "child") == 0) {
		briefly();
		return (0);
	}
	const long children = stage_number(argc, argv, 1, 100);

	stage_ready("");
	for (long i = 0; i < children; i++) {
		const pid_t pid = fork();

		if (pid == 0) {
			execl(argv[0], argv[0], "child", (char *)NULL);
			_exit(1);
		}
		waitpid(pid, NULL, 0);
	}
	printf("done %ld\n", children);
	stage_end();
}
