/*
 * Calls back, so that this library is on the stack.
 * The library comes and goes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
__attribute__((visibility("default"))) int
storms_plugged(int (*call)(void *), void *arg)
{
	return (call(arg) + 1);
}
