/*
 * Calls back from a module that is loaded late.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
int	call_back(int (*f)(void));

__attribute__((noinline)) int
call_back(int (*f)(void))
{

	return (f() + 1);
}
