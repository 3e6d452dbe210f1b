/*
 * Asks for headers of options that no package has, as a file of FreeBSD does.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include "opt_consumer.h"
  # include "opt_of_another_kernel.h"
#include "opt_ddb.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/stack.h>

int
main(void)
{
	struct stack st;

#ifdef CONSUMER
	return (CONSUMER);	/* a header of the program's own says so */
#endif
	stack_save(&st);
	return (st.depth > 0 ? 0 : 1);
}
