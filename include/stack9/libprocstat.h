/*
 * Gives the calls of libprocstat(3) that read the stacks and the names of
 * threads.  They ask sysctl(3), and so the objects kern.proc of the program
 * itself.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_LIBPROCSTAT_H
#define STACK9_LIBPROCSTAT_H

#include <sys/param.h>
#include <sys/sysctl.h>
#include <sys/user.h>
#include <stdlib.h>

struct procstat {
	int	reads_sysctl;	/* cores and kvm(3) are not read */
};

static inline struct procstat *
procstat_open_sysctl(void)
{
	struct procstat *ps;

	ps = (struct procstat *)calloc(1, sizeof(*ps));
	if (ps != NULL)
		ps->reads_sysctl = 1;
	return (ps);
}

static inline void
procstat_close(struct procstat *ps)
{
	(free)(ps);
}

/* The records may become more while they are read, so there is space. */
static inline void *
stack9_procstat_read(int what, int arg, size_t size, unsigned int *count)
{
	int name[4] = { CTL_KERN, KERN_PROC, what, arg };
	size_t len = 0;
	void *all;

	*count = 0;
	if (stack9_sysctl(name, 4, NULL, &len, NULL, 0) != 0)
		return (NULL);
	len += len / 4 + size;
	all = (malloc)(len);
	if (all == NULL)
		return (NULL);
	if (stack9_sysctl(name, 4, all, &len, NULL, 0) != 0) {
		(free)(all);
		return (NULL);
	}
	*count = (unsigned int)(len / size);
	return (all);
}

static inline struct kinfo_proc *
procstat_getprocs(struct procstat *ps, int what, int arg, unsigned int *count)
{
	(void)ps;
	return ((struct kinfo_proc *)stack9_procstat_read(what, arg,
	    sizeof(struct kinfo_proc), count));
}

static inline void
procstat_freeprocs(struct procstat *ps, struct kinfo_proc *kp)
{
	(void)ps;
	(free)(kp);
}

static inline struct kinfo_kstack *
procstat_getkstack(struct procstat *ps, struct kinfo_proc *kp,
    unsigned int *count)
{
	(void)ps;
	return ((struct kinfo_kstack *)stack9_procstat_read(KERN_PROC_KSTACK,
	    kp->ki_pid, sizeof(struct kinfo_kstack), count));
}

static inline void
procstat_freekstack(struct procstat *ps, struct kinfo_kstack *kk)
{
	(void)ps;
	(free)(kk);
}

#endif /* STACK9_LIBPROCSTAT_H */
