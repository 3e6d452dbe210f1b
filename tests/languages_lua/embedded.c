/*
 * Has the text of Lua's library in it, as a program does that is linked with
 * the archive, and waits between lines as the programs of the tests do.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdio.h>

static const char *volatile text = IDENTITY;

int
main(void)
{
	char line[64];
	while (fgets(line, sizeof line, stdin) != NULL) {
		printf("%d\nend\n", text[0]);
		fflush(stdout);
	}
	return 0;
}
