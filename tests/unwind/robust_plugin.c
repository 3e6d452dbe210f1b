/*
 * Calls back from a frame of FRAME bytes.  This library is built with two sizes
 * that take the same instructions, so that the return address is the same and
 * the rule for it is not.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
static inline void
keep(char *frame)
{
	__asm__ volatile("" : : "r"(frame) : "memory");
}

__attribute__((visibility("default"))) void
plugin_call(void (*fn)(void *), void *arg)
{
	char frame[FRAME];

	keep(frame);
	fn(arg);
	keep(frame);
}

#ifdef CONSTRUCTOR
/* The program's. */
void	plugin_in_constructor(void);

__attribute__((constructor)) static void
construct(void)
{
	char frame[FRAME];

	keep(frame);
	plugin_in_constructor();
	keep(frame);
}
#endif
