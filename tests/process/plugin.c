/*
 * Calls back, from a library that a victim loads.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
int plugged(int (*)(int)) __attribute__((visibility("default")));

int
plugged(int (*call)(int))
{
	return (call(7) + 1);
}
