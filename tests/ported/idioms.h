/*
 * Declares the parts of the program of idioms, and how they assert.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef IDIOMS_H
#define	IDIOMS_H

#define	MUST(exp) do {							\
	if (!(exp))							\
		panic("line %d: %s", __LINE__, #exp);			\
} while (0)

#if defined(__cplusplus)
extern "C" {
#endif
void	trees(void);
void	queues(void);
void	sysctls(void);
void	small_sysctls(void);
void	copies(void);
void	processes(void);
void	stacks(void);
void	locks_and_conditions(void);
void	counts(void);
void	bytes(void);
void	switches(void);
#if defined(__cplusplus)
}
#endif

#endif
