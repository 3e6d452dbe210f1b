/*
 * Asks the kernel for the name of one of its addresses, as %pS and %pB print
 * it, modules and BPF programs included (bpf_snprintf(), Linux 5.13).  This
 * takes 1 us; reading /proc/kallsyms takes 40 ms.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_NAME_OF_H
#define STACK9_NAME_OF_H

#include "bpf/kernel.h"
#include "bpf/record.h"

/* Writes S9_TEXT bytes of text at most.  Returns their number with the NUL, or
 * -errno. */
static __always_inline __s32
s9_format(char *text, __u64 pc, __u32 return_address)
{
	static const char as_is[] = "%pS", as_return_address[] = "%pB";

	if (return_address)
		return bpf_snprintf(text, S9_TEXT, as_return_address, &pc,
		    sizeof(pc));
	return bpf_snprintf(text, S9_TEXT, as_is, &pc, sizeof(pc));
}

/* text: S9_TEXT bytes that no other thread uses. */
static __always_inline void
s9_name_of(struct s9_name *ctx, char *text)
{
	const __u64 *from = (const __u64 *)text;
	__u64 *to = (__u64 *)ctx->text;
	__u32 i;

	ctx->len = s9_format(text, ctx->pc, ctx->return_address);
	/* Stores to a context must be at constant offsets, and most names
	 * are short. */
#pragma unroll
	for (i = 0; i < 16; i++)
		to[i] = from[i];
	if (ctx->len <= 128)
		return;
#pragma unroll
	for (i = 16; i < S9_TEXT / 8; i++)
		to[i] = from[i];
}

#endif /* STACK9_NAME_OF_H */
