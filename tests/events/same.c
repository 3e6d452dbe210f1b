/*
 * A static function that has the name of another file's.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
int same_as_here(int);

static int __attribute__((noinline))
same_name(int x)
{
	return x + 5;
}

int
same_as_here(int x)
{
	return same_name(x) - 1;
}
