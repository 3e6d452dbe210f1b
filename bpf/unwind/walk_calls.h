/*
 * Finds by the bytes of code how a frame is left that no unwind information
 * describes.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_CALLS_H
#define STACK9_LEARNED_WALK_CALLS_H

#include "walk_maps.h"

/* The kinds of unwind/rule.h. */
enum s9_rule_kind {
	S9_RULE_SP = 1,
	S9_RULE_FP,
	S9_RULE_REALIGNED,
	S9_RULE_SIGNAL,
	S9_RULE_END,
	S9_RULE_ABSENT = 7,
};
#define	S9_RULE_KIND(r)		((r) & 7)
#define	S9_RULE_CFA(r)		((__u64)((r) & 0x3fff << 3))
#define	S9_RULE_SAVED(r)	((__u64)((r) >> 14 & 7 << 3))
#define	S9_RULE_IS_BY_CODE(r)	((r) == (S9_RULE_ABSENT |	\
	    S9_ABSENT_BY_CODE << S9_SAVED_SHIFT))
#define	S9_SAVED_SHIFT		17

static __always_inline __u32
s9_byte(__u64 bytes, __u32 number)
{
	return (__u32)(bytes >> (number * 8)) & 0xff;
}

/* 1 if they are equal.  Without a jump: the verifier follows both ways of each,
 * and it has to do so where this is called. */
static __always_inline __u64
s9_equal(__u64 a, __u64 b)
{
	__u64 differ = a ^ b;

	asm volatile("" : "+r"(differ));
	return (differ - 1) >> 63;
}

/* As arch/x86_64/call.cc, of the 8 bytes before an address. */
static __always_inline int
s9_is_call(__u64 before)
{
	__u64 is = s9_equal(s9_byte(before, 3), 0xe8);

#pragma unroll
	for (__u32 n = 2; n <= 7; n++) {
		__u64 how = s9_byte(before, 9 - n), mod = how >> 6;
		__u64 no_disp = s9_equal(mod, 0);
		__u64 sib = (s9_equal(mod, 3) ^ 1) & s9_equal(how & 7, 4);
		__u64 no_base = s9_equal(how & 7, 5), size;

		if (n > 2)
			no_base |= sib &
			    s9_equal(s9_byte(before, (10 - n) & 7) & 7, 5);
		size = 2 + sib + s9_equal(mod, 1) +
		    ((s9_equal(mod, 2) | (no_disp & no_base)) << 2);
		is |= s9_equal(s9_byte(before, 8 - n), 0xff) &
		    s9_equal(how >> 3 & 7, 2) & s9_equal(size, n);
		/* One after the other, in few registers. */
		asm volatile("" : "+r"(is), "+r"(before));
	}
	return (int)is;
}

/* True if code may only remove a frame and return, by its first bytes: pop,
 * ret, xor %eax,%eax, add $n,%rsp.  See arch/x86_64/returning.cc. */
static __always_inline __u64
s9_may_return(__u64 code)
{
	__u64 first = code & 0xff, second = code >> 8 & 0xff;

	return s9_equal(first & 0xf8, 0x58) | s9_equal(first, 0xc3) |
	    s9_equal(code & 0xffff, 0xc031) |
	    (s9_equal(first, 0x41) & s9_equal(second & 0xf8, 0x58)) |
	    s9_equal(code & 0xfffdff, 0xc48148);
}

#define	S9_INT3		0xcc	/* may be in place of other code */
#define	S9_SYSCALL	0x050f
#define	S9_ENDBR64	0xfa1e0ff3
#define	S9_JMP_SLOT	0x25ff
#define	S9_TRAMPOLINE	0x0fc0c748	/* the beginning of a signal's */

/* True if code may be a linker's stub, by its first bytes after endbr64: push
 * $n, jmp, push slot, push %r11, mov $n,%r11d.  See arch/x86_64/stub.cc. */
static __always_inline __u64
s9_may_be_stub(__u64 code)
{
	__u64 first = code & 0xff, both = code & 0xffff;

	return s9_equal(first, 0x68) | s9_equal(first, 0xe9) |
	    s9_equal(both, 0xe9f2) | s9_equal(both, 0x35ff) |
	    s9_equal(both, 0x5341) | s9_equal(both, 0xbb41);
}

/* The rule that remote/guess_rules.cc gives for an address; 0: it takes more
 * than these bytes.  That process reads them from the file: that has no
 * breakpoints. */
static __always_inline __u32
s9_rule_by_code(__u64 at)
{
	__u64 code[2], here, is_call, returns, forwards, doubt;

	if (bpf_probe_read_user(code, 16, (const void *)(at - 7)) != 0)
		return 0;
	here = code[0] >> 56 | code[1] << 8;
	is_call = (__u64)s9_is_call(code[0]);
	returns = s9_may_return(code[1]) |
	    s9_equal(code[1] & 0xff, S9_INT3);
	forwards = s9_equal((__u32)here, S9_ENDBR64);
	doubt = (is_call & returns) | s9_equal(here & 0xff, S9_INT3) |
	    (forwards & s9_equal(here >> 32 & 0xff, S9_INT3)) |
	    s9_equal((__u32)here, S9_TRAMPOLINE) |
	    s9_equal((__u32)code[1], S9_TRAMPOLINE);
	if (doubt)
		return 0;
	forwards = s9_may_be_stub(here >> (forwards << 5)) |
	    (forwards & s9_equal(here >> 32 & 0xffff, S9_JMP_SLOT));
	forwards |= s9_equal(here & 0xffff, S9_JMP_SLOT) |
	    s9_equal(code[0] >> 40 & 0xffff, S9_SYSCALL);
	return (__u32)(S9_RULE_ABSENT | (is_call * S9_ABSENT_CALLED |
	    (forwards ^ 1) * S9_ABSENT_EXACT) << S9_SAVED_SHIFT);
}

#endif /* STACK9_LEARNED_WALK_CALLS_H */
