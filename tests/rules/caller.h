/*
 * Defines what the caller's programs and the tests exchange.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef CALLER_H
#define CALLER_H

#include <linux/types.h>

#ifdef __aarch64__
#define	GETPPID	173
#else
#define	GETPPID	110
#endif

struct asked {
	__u64	cookie;
	__u32	pid;
	__u32	send;		/* the samples are always sent */
};

struct answers {
	__u64	stored, sent, none, full, nested, ended, other;
};

#endif /* CALLER_H */
