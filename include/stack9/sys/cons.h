/*
 * Gives the calls that write to the console past printf().
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_CONS_H
#define STACK9_SYS_CONS_H

#include <sys/systm.h>

#define	cnputc(c)	((void)stack9_printf("%c", (c)))
#define	cnputs(text)	((void)stack9_printf("%s", (text)))
#define	cnputsn(text, len)						\
	((void)stack9_printf("%.*s", (int)(len), (text)))

#endif /* STACK9_SYS_CONS_H */
