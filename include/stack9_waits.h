/*
 * Declares the calls that find what threads wait for, who can end the wait, and
 * whether threads have run since an earlier call.
 *
 * A holder is reported only if it is proven for one moment, at which the thread
 * waited: the memory that names it was read twice and was the same, the thread
 * has not run before, between and after, and the holder was alive.  Anything
 * less is said in words.
 *
 * Errors are as in <stack9.h>.  man/stack9_waits.3 has the contract in prose.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_WAITS_H
#define STACK9_WAITS_H

#include <stack9.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The kind of a wait.  Further kinds may come. */
enum stack9_wait_kind {
	STACK9_WAIT_UNKNOWN = 0,	/* error and reason say why */
	STACK9_WAIT_NONE,	/* it runs, or may run */
	STACK9_WAIT_FUTEX,	/* a futex of a kind that is not proven */
	STACK9_WAIT_MUTEX,	/* pthread_mutex_lock() and its kin */
	STACK9_WAIT_PI_MUTEX,	/* one with priority inheritance */
	STACK9_WAIT_RWLOCK_READ,
	STACK9_WAIT_RWLOCK_WRITE,
	STACK9_WAIT_JOIN,	/* pthread_join() */
	STACK9_WAIT_CONDITION,	/* a condition variable; nobody owns it */
	STACK9_WAIT_SEMAPHORE,	/* sem_wait(); nobody owns it */
	STACK9_WAIT_ONCE,	/* another thread's initialization */
	STACK9_WAIT_BARRIER,
	STACK9_WAIT_FLOCK,	/* flock() */
	STACK9_WAIT_FILE_LOCK,	/* fcntl(): POSIX and open file description
				   locks */
	STACK9_WAIT_PIPE,	/* a pipe or FIFO */
	STACK9_WAIT_SOCKET,
	STACK9_WAIT_DESCRIPTOR,	/* another descriptor */
	STACK9_WAIT_POLL,	/* poll(), select() and their kin */
	STACK9_WAIT_EPOLL,
	STACK9_WAIT_CHILD,	/* wait4(), waitid() */
	STACK9_WAIT_VFORK,	/* until the child execs or exits */
	STACK9_WAIT_TRACER,	/* stopped by its tracer */
	STACK9_WAIT_STOPPED,	/* stopped by a signal */
	STACK9_WAIT_SLEEP,	/* nanosleep() and its kin */
	STACK9_WAIT_SIGNAL,	/* pause(), sigsuspend(), sigwait() */
	STACK9_WAIT_IO_URING,
	STACK9_WAIT_KERNEL_MUTEX,	/* the rest of these: in the kernel */
	STACK9_WAIT_KERNEL_SEMAPHORE,
	STACK9_WAIT_KERNEL_READ,	/* an rw_semaphore */
	STACK9_WAIT_KERNEL_WRITE,
	STACK9_WAIT_KERNEL_RT_MUTEX,
	STACK9_WAIT_FAULT,	/* not in a system call: a page, or the like */
	STACK9_WAIT_SYSCALL,	/* another system call */
	STACK9_WAIT_KERNEL,	/* a kernel thread */
	STACK9_WAIT_USERFAULTFD,	/* a page that a process is to bring */
	STACK9_WAIT_FILE_PAGE,	/* a page of a mapped file */
	STACK9_WAIT_SWAP,	/* a page from swap */
	STACK9_WAIT_INTERPRETER, /* the lock that the threads of an interpreter
				   run by in turn, Python's GIL,
				   Ruby's GVL */
	STACK9_WAIT_MONITOR,	/* a lock of a language: a monitor of Java, or
				   a lock of java.util.concurrent that has an
				   owner; object: its class */
	STACK9_WAIT_LOCK	/* a Lock or RLock of Python's threading */
};

/* Returns a word for a kind, never NULL.  Async-signal-safe. */
const char *stack9_wait_text(int kind);

/* The role of a holder. */
enum stack9_role {
	STACK9_ROLE_OWNER = 1,	/* it has the lock */
	STACK9_ROLE_TARGET,	/* it is to end, or to exec */
	STACK9_ROLE_TRACER,	/* it has stopped the thread */
	STACK9_ROLE_PEER	/* its process has the other end open */
};

#define	STACK9_HOLDER_PROCESS	0x1u	/* any thread of the process; tid is
					   pid */

struct stack9_holder {
	struct stack9_thread thread;
	int32_t		 role;		/* STACK9_ROLE_... */
	uint32_t	 flags;		/* STACK9_HOLDER_... */
};

/* Flags of a wait. */
#define	STACK9_WAIT_TIMED	0x1u	/* it ends at a time, too */
#define	STACK9_WAIT_ALL_HOLDERS	0x2u	/* nobody but the holders, and a signal,
					   can end it */
#define	STACK9_WAIT_BY_READERS	0x4u	/* readers have the lock, and nobody
					   keeps a list of them */
#define	STACK9_WAIT_BY_OTHERS	0x8u	/* others than the holders can end it,
					   too: threads of its own process, or
					   who is not known */
#define	STACK9_WAIT_MOVED	0x10u	/* the thread has run since its sample
					   was captured, so that the stacks are
					   not of this wait */
#define	STACK9_WAIT_CHANGING	0x20u	/* who holds it has changed while this
					   was found out; to ask again may find
					   it */

struct stack9_wait {
	const struct stack9_sample *sample;	/* as given */
	int32_t		 kind;		/* STACK9_WAIT_... */
	int32_t		 error;		/* UNKNOWN: an errno */
	uint32_t	 flags;		/* STACK9_WAIT_... */
	int32_t		 fd;		/* the descriptor; -1: none */
	const char	*reason;	/* why there is no holder or no kind, in
					   a sentence; "" nothing is to be
					   said */
	const char	*object;	/* the file, socket or descriptors, as
					   /proc names them; "" */
	const char	*call;		/* the system call; "" none */
	int64_t		 number;	/* its number; -1: none */
	uint64_t	 args[6];	/* its arguments */
	uint64_t	 address;	/* of the lock: the beginning of a
					   mutex, rwlock ...; 0: none */
	uint64_t	 left_ns;	/* until it ends by its time; 0: not
					   known */
	uint64_t	 idle_ns;	/* since the thread ran last, by the
					   kernel's count; 0: not known */
	const struct stack9_holder *holder;	/* holders of them */
	uint32_t	 holders;
	uint32_t	 args_used;	/* how many arguments call has; 6: or
					   fewer */
	const char	*place;		/* the variable that address is in, or
					   what is mapped there; "" */
};

/* Flags of a state. */
#define	STACK9_STATE_ON_CPU	0x1u	/* it runs; or it may run, where only
					   /proc was allowed */

/*
 * A thread as the scheduler sees it.  If two calls found the same switches, and
 * neither found it on a CPU, the thread has not run in between.
 */
struct stack9_state {
	struct stack9_thread thread;
	const char	*comm;		/* its name */
	int32_t		 state;		/* a letter as in /proc/TID/stat; '?' */
	int32_t		 cpu;		/* on it, or last on it; -1 unknown */
	uint32_t	 flags;		/* STACK9_STATE_... */
	uint32_t	 reserved;	/* 0 */
	uint64_t	 switches;	/* of contexts, so far */
	uint64_t	 when_ns;	/* CLOCK_BOOTTIME */
	uint64_t	 since_ns;	/* so long it runs, waits for a CPU or
					   sleeps, at least; 0: not known */
	uint64_t	 since_most_ns;	/* and at most; 0: not known */
};

/* A function that takes states, as stack9_wait_fn takes waits. */
typedef int stack9_state_fn(void *arg, const struct stack9_state *state);

/*
 * Finds the state of every thread of a process, of which td is any thread, or
 * of the machine if td is NULL: calls fn once for each.  No stack is read.
 * Returns as stack9_each().  5,000 threads of a process take some 1.2 ms from
 * Linux 6.7 on, 4 ms before, and 40 us each where BPF is refused; then no
 * thread has a since_ns.
 */
int	stack9_states(const struct stack9_thread *td, unsigned int flags,
	    stack9_state_fn *fn, void *arg);

/*
 * A function that takes waits.  The wait is lent until the function returns.
 * If it returns a value other than 0, the call ends with ECANCELED.
 */
typedef int stack9_wait_fn(void *arg, const struct stack9_wait *wait);

/*
 * Finds the waits of the threads of count samples and calls fn once for each
 * sample, in their order.  A sample shows the kind of a futex by its user
 * stack, if the thread has not run since; no stack is captured.  Threads that
 * have ended or that run now have a wait that says so.
 * For samples of a core (stack9_core.h) the owners of locks are found in its
 * memory, and all samples have to be of that core.
 * Returns 0; EINVAL: a pointer is NULL, or unknown flags; ECANCELED; EPERM;
 * EOPNOTSUPP: /proc is not mounted; ENOMEM, EMFILE.
 * 5,000 threads cost some 10 ms, and 40 us each where BPF is refused.  A wait
 * for a pipe or a socket reads all descriptors of all processes, once a call.
 */
int	stack9_waits(const struct stack9_sample *const *samples,
	    uint32_t count, unsigned int flags, stack9_wait_fn *fn, void *arg);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_WAITS_H */
