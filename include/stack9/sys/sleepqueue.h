/*
 * Gives the constants of sleepqueue(9).  Only files that implement sleep queues
 * use its functions, and they define them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_SLEEPQUEUE_H
#define STACK9_SYS_SLEEPQUEUE_H

struct sbuf;
struct sleepqueue;
struct thread;

#define	SLEEPQ_TYPE		0x0ff
#define	SLEEPQ_SLEEP		0x00
#define	SLEEPQ_CONDVAR		0x01
#define	SLEEPQ_PAUSE		0x02
#define	SLEEPQ_SX		0x03
#define	SLEEPQ_LK		0x04
#define	SLEEPQ_INTERRUPTIBLE	0x100

#endif /* STACK9_SYS_SLEEPQUEUE_H */
