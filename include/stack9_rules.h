/*
 * Declares the rules that programs of others share: those of a libbpf object,
 * or of any loader, that call <stack9/stack9.bpf.h> for the user stacks of
 * threads.  The rules are learned from stacks that nobody has met before.
 * These come here as copies, so that the first event has its stack, too.
 *
 * Errors are as in <stack9.h>, and stack9_reason() says in a sentence what
 * failed and what would help.  Only one thread at a time may use the rules,
 * except for stack9_rules_wake().  man/stack9_bpf.3 has the contracts in prose.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_RULES_H
#define STACK9_RULES_H

#include <stddef.h>

#include <stack9.h>
#include <stack9_watch.h>
#include <stack9/bpf_stack.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct stack9_rules;

#define	STACK9_RULES_PRINTK	0x1u	/* samples for whoever prints "stack9 "
					   and a cookie, too */

/* For a member that is 0 there is a default. */
struct stack9_rules_options {
	uint32_t	 size;		/* sizeof(struct
					   stack9_rules_options) */
	uint32_t	 flags;		/* STACK9_RULES_... */
	uint64_t	 ring;		/* bytes of the ring of samples, a power
					   of 2 and of pages; 0: 16 MiB */
	uint64_t	 rules;		/* bytes that learned rules take, at
					   most, 64 KiB to 1 GiB; 0: 16 MiB */
	const char	*pins;		/* the maps of the border are pinned in
					   this directory of a file system bpf
					   until the rules are closed; NULL:
					   they are not */
};

/*
 * Loads the programs that take the stacks.  options may be NULL.
 * Returns 0; EINVAL; EPERM; EOPNOTSUPP: not on this machine; ENOENT: no such
 * directory; ENOMEM, EMFILE.  The call takes 0.1 to 0.5 s.
 */
int	stack9_rules_open(const struct stack9_rules_options *options,
	    struct stack9_rules **rules);

/* Stops the programs and frees all.  Calls of programs that go on are answered
 * with STACK9_BPF_NONE or STACK9_BPF_ENDED.  NULL does nothing. */
void	stack9_rules_close(struct stack9_rules *rules);

/*
 * Stores the descriptor of a map of the border, for a loader to use in place of
 * the map of this name in an object.  It belongs to the rules.
 * Returns 0; ENOENT: there is no such map; EINVAL, in a child too.
 */
int	stack9_rules_map(struct stack9_rules *rules, const char *name, int *fd);

/* Stores a descriptor that can be read once samples have arrived, as
 * stack9_watch_fd() does.  Returns 0; EINVAL. */
int	stack9_rules_fd(struct stack9_rules *rules, int *fd);

/*
 * Reads the samples that were sent, learns from those that were copied, and
 * gives each to fn; waits for one up to timeout_ms (-1: without limit).  cookie
 * of a sample is that of the call.  A program must call this all the time.
 * Returns as stack9_watch_read() does, but never ESRCH.
 */
int	stack9_rules_read(struct stack9_rules *rules, int timeout_ms,
	    stack9_sample_fn *fn, void *arg);

/* Ends a stack9_rules_read() that waits, or if none does, the next one, with
 * EINTR.  Async-signal-safe.  Returns 0; EINVAL. */
int	stack9_rules_wake(struct stack9_rules *rules);

/*
 * Makes a sample of a stack that a call has stored, and gives it to fn.  size:
 * of the stack as it came, STACK9_BPF_SIZE(depth) or more.
 * Returns 0; ECANCELED: fn returned a value other than 0; EINVAL: it is not
 * such a stack; EBUSY: called by fn; ENOMEM.
 */
int	stack9_rules_sample(struct stack9_rules *rules,
	    const struct stack9_bpf_stack *stack, size_t size,
	    stack9_sample_fn *fn, void *arg);

/* Stops the programs, as stack9_watch_stop() does: calls are answered with
 * STACK9_BPF_ENDED, and what was sent can still be read. */
int	stack9_rules_stop(struct stack9_rules *rules);

/* Stores the numbers of calls by their outcome, as stack9_watch_tally() does.
 * kept are those that were answered in the caller's memory, and those that were
 * given to fn by stack9_rules_read(). */
int	stack9_rules_tally(struct stack9_rules *rules,
	    struct stack9_tally *tally);

/*
 * The rest is not of the library, but of the caller's own libbpf, whose objects
 * differ by its release.
 */
#define	STACK9_BPF_MAPS {"stack9_calls_1", "stack9_cookies_1",		\
    "stack9_kprobe_1", "stack9_raw_tp_1", "stack9_tp_1", "stack9_perf_1"}

struct bpf_object;
struct bpf_map;
struct bpf_map *bpf_object__find_map_by_name(const struct bpf_object *,
    const char *);
int	bpf_map__reuse_fd(struct bpf_map *, int);

/*
 * Gives an object that is open and not loaded the maps of the border.
 * Returns 0; ENOENT: the object does not include <stack9/stack9.bpf.h> of this
 * version; EINVAL: it has been loaded; ENOMEM, EMFILE.
 */
static inline int
stack9_rules_attach(struct stack9_rules *rules, struct bpf_object *object)
{
	static const char *const names[] = STACK9_BPF_MAPS;
	int found = 0;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct bpf_map *const map = bpf_object__find_map_by_name(object,
		    names[i]);
		int fd, error;

		if (map == NULL)
			continue;
		error = stack9_rules_map(rules, names[i], &fd);
		if (error == 0)
			error = -bpf_map__reuse_fd(map, fd);
		if (error != 0)
			return error;
		found = 1;
	}
	return found ? 0 : 2;	/* ENOENT */
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_RULES_H */
