/*
 * Has a static function with the name of one in another file.
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
