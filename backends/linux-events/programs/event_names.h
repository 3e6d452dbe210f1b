/*
 * Lists the programs and the maps of each object on events.  event.bpf.c does
 * not compile without each of them; object_ids.h makes the reader's ids of the
 * lists, and an object that does not fit them is refused when it is opened.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_NAMES_H
#define STACK9_EVENT_NAMES_H

#define	S9_PROGRAMS_OF_ANY_KERNEL(ONE)					\
	ONE(at_tracepoint)						\
	ONE(at_enter)							\
	ONE(at_exit)							\
	ONE(at_function)						\
	ONE(at_user)							\
	ONE(at_fentry)							\
	ONE(at_sample)							\
	ONE(at_switch)							\
	ONE(at_waking)							\
	ONE(who_asks)

/* These are not in the object for kernels before 5.11. */
#define	S9_PROGRAMS_OF_NEW_KERNELS(ONE)					\
	ONE(at_call)

/* Those of the object that lends walks to programs of others. */
#define	S9_PROGRAMS_THAT_LEND(ONE)					\
	ONE(lent_kprobe)						\
	ONE(lent_raw_tp)						\
	ONE(lent_tp)							\
	ONE(lent_perf)							\
	ONE(lent_printk)

#define	S9_MAPS_OF_THE_BORDER(ONE)					\
	ONE(stack9_calls_1)						\
	ONE(stack9_cookies_1)						\
	ONE(stack9_kprobe_1)						\
	ONE(stack9_raw_tp_1)						\
	ONE(stack9_tp_1)						\
	ONE(stack9_perf_1)

#define	S9_MAPS(ONE)							\
	ONE(control)							\
	ONE(my_ns)							\
	ONE(totals)							\
	ONE(scratch)							\
	ONE(copies)							\
	ONE(table_0)							\
	ONE(table_1)							\
	ONE(table_2)							\
	ONE(table_3)							\
	ONE(table_4)							\
	ONE(table_5)							\
	ONE(repeats)							\
	ONE(processes)							\
	ONE(ring)							\
	ONE(cgroups)							\
	ONE(syscalls)							\
	ONE(nothing)							\
	ONE(blocked)							\
	ONE(rules)							\
	ONE(more_rules)							\
	ONE(pages)							\
	ONE(rows)							\
	ONE(mapped)							\
	ONE(memos)							\
	ONE(chains)							\
	ONE(reported)							\
	ONE(listed)

#endif /* STACK9_EVENT_NAMES_H */
