/*
 * Makes the key of a rule of JIT code.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_MADE_KEY_H
#define STACK9_LEARNED_MADE_KEY_H

#include "layout.h"

/* The key is a hash of 41 bits, above all offsets in a file.  space: struct
 * s9_space; code: the 16 bytes of which the last 8 begin at pc. */
static inline __u64
s9_made_key(const __u64 *space, __u64 pc, __u64 called, const __u64 *code)
{
	const __u64 k = 0x9e3779b97f4a7c15ULL;
	__u64 h = (space[0] ^ space[1] * k ^ pc) * k;

	h = (h ^ h >> 29 ^ code[0]) * k;
	h = (h ^ h >> 31 ^ code[1]) * k;
	h = (h ^ h >> 29 ^ called) * k;
	return S9_MADE_KEY | 1ULL << 41 | h >> 23;
}

#endif /* STACK9_LEARNED_MADE_KEY_H */
