/*
 * Declares calls between files of kernel code as FreeBSD writes it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef PORTED_H
#define	PORTED_H

#include <sys/param.h>
#include <sys/malloc.h>
#include <sys/proc.h>
#include <sys/sbuf.h>
#define	KTR
#define	KTR_LOCK	0x00000008
#define	KTR_COMPILE	KTR_LOCK
#include <sys/stack.h>

#include <assert.h>

#define	__noinline9	__attribute__((__noinline__))
#define	KASSERT(exp, msg)	assert(exp)

/*
 * A lock that remembers who has it: struct stack embedded, saved under the
 * thread lock.
 */
struct lock {
	const char	*lk_name;
	struct thread	*lk_owner;
	struct stack	 lk_stack;
};

/*
 * Report each distinct stack once: known by its program counters.
 */
struct epoch_stack {
	struct epoch_stack	*es_next;
	struct stack		 es_stack;
	int			 es_count;
};

/* C linkage, so that both languages have the same names. */
__BEGIN_DECLS
void	alpha(void);
void	beta(void);
void	lock_acquire(struct lock *lk);
void	lock_wanted(struct lock *lk);
void	*zone_alloc(size_t size);
void	zone_check(const void *p);
void	epoch_enter(void);
void	epoch_read(void);
void	epoch_write(void);
void	witness_report(const struct stack *st);
void	kdb_backtrace_thread(struct thread *td);
int	proc_kstacks(struct proc *p);
void	*worker(void *arg);
void	worker_wait(int fd);
int	same_stack(const struct stack *a, const struct stack *b);
void	print_names(const char *what, const struct stack *st);
extern struct epoch_stack	*epoch_stacks;
__END_DECLS

/* Keeps a call from being the last instruction of its function. */
static volatile int	after;

#endif /* !PORTED_H */
