/*
 * Calls back, so that this library, which comes and goes, is on the stack.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
__attribute__((visibility("default"))) int
storms_plugged(int (*call)(void *), void *arg)
{
	return (call(arg) + 1);
}
