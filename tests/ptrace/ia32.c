/*
 * Says, as a 32-bit program, where on its stack which return address is, then
 * sleeps.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdint.h>
#include <unistd.h>

static uint32_t noted[4];

__attribute__((noinline)) static void
inner(void)
{
	noted[2] = (uint32_t)__builtin_frame_address(0) + 4;
	noted[3] = (uint32_t)__builtin_return_address(0);
	if (write(1, noted, sizeof noted) == sizeof noted)
		for (;;)
			pause();
}

__attribute__((noinline)) static void
outer(void)
{
	noted[0] = (uint32_t)__builtin_frame_address(0) + 4;
	noted[1] = (uint32_t)__builtin_return_address(0);
	inner();
	__asm__ volatile("");
}

int
main(void)
{
	outer();
	__asm__ volatile("");
	return 0;
}
