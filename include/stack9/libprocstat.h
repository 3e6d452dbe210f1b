/*
 * Gives the calls of libprocstat(3) that read processes, threads and stacks.
 * They ask sysctl(3).  It answers for this machine, or for the program's own
 * objects kern.proc if it has some.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_LIBPROCSTAT_H
#define STACK9_LIBPROCSTAT_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/sysctl.h>
#include <sys/user.h>

struct procstat {
	char	**strings[2];	/* arguments, environment */
};

static inline struct procstat *
procstat_open_sysctl(void)
{
	return ((struct procstat *)calloc(1, sizeof(struct procstat)));
}

static inline void
procstat_close(struct procstat *ps)
{
	(free)(ps->strings[0]);
	(free)(ps->strings[1]);
	(free)(ps);
}

/* Cores and kernels that are not this machine's are not read. */
static inline struct procstat *
procstat_open_core(const char *file)
{
	(void)file;
	errno = EOPNOTSUPP;
	return (NULL);
}

static inline struct procstat *
procstat_open_kvm(const char *kernel, const char *memory)
{
	(void)kernel;
	(void)memory;
	errno = EOPNOTSUPP;
	return (NULL);
}

/* The records may become more while they are read, so there is space, and the
 * call asks again where it was too small. */
static inline void *
stack9_procstat_read(int what, int arg, size_t *len)
{
	int name[4] = { CTL_KERN, KERN_PROC, what, arg };
	void *all = NULL;
	int error;

	*len = 0;
	if (stack9_sysctl(name, 4, NULL, len, NULL, 0) != 0)
		return (NULL);
	do {
		size_t room = *len + *len / 4 + 64;

		(free)(all);
		all = (malloc)(room);
		if (all == NULL)
			return (NULL);
		*len = room;
		error = stack9_sysctl(name, 4, all, len, NULL, 0);
	} while (error != 0 && errno == ENOMEM);
	if (error != 0) {
		(free)(all);
		return (NULL);
	}
	return (all);
}

static inline void *
stack9_procstat_records(int what, int arg, size_t size, unsigned int *count)
{
	size_t len;
	void *all = stack9_procstat_read(what, arg, &len);

	*count = all != NULL ? (unsigned int)(len / size) : 0;
	return (all);
}

/* Makes an array of the strings in text, with NULL after the last, and the text
 * after it.  FreeBSD keeps both in ps; ours is freed by the caller's
 * procstat_freeargv() or procstat_freeenvv(). */
static inline char **
stack9_procstat_strings(struct procstat *ps, int what, pid_t pid)
{
	size_t len, i, n = 0, start = 0;
	char *text = (char *)stack9_procstat_read(what, (int)pid, &len);
	char **all;

	if (text == NULL)
		return (NULL);
	for (i = 0; i < len; i++)
		n += text[i] == '\0' || i == len - 1;
	all = (char **)(malloc)((n + 1) * sizeof(*all) + len + 1);
	if (all != NULL) {
		char *copy = (char *)(all + n + 1);

		memcpy(copy, text, len);
		copy[len] = '\0';
		for (n = i = 0; i < len; i++)
			if (copy[i] == '\0' || i == len - 1) {
				all[n++] = copy + start;
				start = i + 1;
			}
		all[n] = NULL;
		(free)(ps->strings[what == KERN_PROC_ENV]);
		ps->strings[what == KERN_PROC_ENV] = all;
	}
	(free)(text);
	return (all);
}

static inline void
stack9_procstat_forget(struct procstat *ps, int i)
{
	(free)(ps->strings[i]);
	ps->strings[i] = NULL;
}

static inline struct kinfo_proc *
procstat_getprocs(struct procstat *ps, int what, int arg, unsigned int *count)
{
	(void)ps;
	return ((struct kinfo_proc *)stack9_procstat_records(what, arg,
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
	return ((struct kinfo_kstack *)stack9_procstat_records(
	    KERN_PROC_KSTACK, kp->ki_pid, sizeof(struct kinfo_kstack), count));
}

static inline void
procstat_freekstack(struct procstat *ps, struct kinfo_kstack *kk)
{
	(void)ps;
	(free)(kk);
}

/* The strings are valid until the same call again.  nchr is not used. */
static inline char **
procstat_getargv(struct procstat *ps, struct kinfo_proc *kp, size_t nchr)
{
	(void)nchr;
	return (stack9_procstat_strings(ps, KERN_PROC_ARGS, kp->ki_pid));
}

static inline void
procstat_freeargv(struct procstat *ps)
{
	stack9_procstat_forget(ps, 0);
}

static inline char **
procstat_getenvv(struct procstat *ps, struct kinfo_proc *kp, size_t nchr)
{
	(void)nchr;
	return (stack9_procstat_strings(ps, KERN_PROC_ENV, kp->ki_pid));
}

static inline void
procstat_freeenvv(struct procstat *ps)
{
	stack9_procstat_forget(ps, 1);
}

/* Returns 0, or -1 and an errno. */
static inline int
procstat_getpathname(struct procstat *ps, struct kinfo_proc *kp, char *path,
    size_t size)
{
	int name[4] = { CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, kp->ki_pid };

	(void)ps;
	return (stack9_sysctl(name, 4, path, &size, NULL, 0));
}

#endif /* STACK9_LIBPROCSTAT_H */
