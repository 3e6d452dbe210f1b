/*
 * Includes what FreeBSD's code includes, in a program outside the tree.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/param.h>
#include <sys/malloc.h>
#include <sys/proc.h>
#include <sys/sbuf.h>
#include <sys/stack.h>

#include <stdio.h>

int
main(void)
{
	struct sbuf sb;
	struct stack st;

	if (stack_save_td(&st, curthread) != 0)
		return (1);
	sbuf_new(&sb, NULL, 0, SBUF_AUTOEXTEND);
	stack_sbuf_print(&sb, &st);
	if (sbuf_finish(&sb) != 0)
		return (1);
	fputs(sbuf_data(&sb), stdout);
	sbuf_delete(&sb);
	return (st.depth < 1);
}
