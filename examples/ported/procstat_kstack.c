/*
 * Prints the stacks that kern.proc.kstack gives, as procstat -k does.  This is
 * a file of a program, not of the kernel.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/param.h>
#include <sys/sysctl.h>
#include <sys/user.h>

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Keeps the name of each line "#0 0x1234 at name+0x10", and joins them. */
static void
clean(char *trace)
{
	const char *line, *name, *end;
	char *to;

	to = trace;
	for (line = trace; line != NULL && *line == '#'; line = end + 1) {
		name = strstr(line, " at ");
		end = strchr(line, '\n');
		if (name == NULL || end == NULL)
			break;
		name += 4;
		while (*name != '+' && name < end)
			*to++ = *name++;
		*to++ = ' ';
	}
	*to = '\0';
}

static void *
get(int what, pid_t pid, size_t *len)
{
	int name[4];
	void *p;

	name[0] = CTL_KERN;
	name[1] = KERN_PROC;
	name[2] = what;
	name[3] = pid;
	*len = 0;
	if (sysctl(name, nitems(name), NULL, len, NULL, 0) != 0)
		err(1, "sysctl %d", what);
	p = malloc(*len);
	if (p == NULL)
		err(1, "malloc");
	if (sysctl(name, nitems(name), p, len, NULL, 0) != 0)
		err(1, "sysctl %d", what);
	return (p);
}

static int
by_tid(const void *a, const void *b)
{

	return (((const struct kinfo_kstack *)a)->kkst_tid -
	    ((const struct kinfo_kstack *)b)->kkst_tid);
}

int
main(void)
{
	struct kinfo_kstack *kk;
	struct kinfo_proc *kp;
	size_t i, j, kklen, kplen;
	pid_t pid;

	pid = getpid();
	kk = get(KERN_PROC_KSTACK, pid, &kklen);
	kp = get(KERN_PROC_PID | KERN_PROC_INC_THREAD, pid, &kplen);
	qsort(kk, kklen / sizeof(*kk), sizeof(*kk), by_tid);
	printf("%5s %6s %-19s %-19s %-29s\n", "PID", "TID", "COMM", "TDNAME",
	    "KSTACK");
	for (i = 0; i < kklen / sizeof(*kk); i++) {
		for (j = 0; j < kplen / sizeof(*kp); j++)
			if (kp[j].ki_tid == kk[i].kkst_tid)
				break;
		if (j == kplen / sizeof(*kp))
			continue;
		clean(kk[i].kkst_trace);
		printf("%5d %6d %-19s %-19s %-29s\n", pid, kk[i].kkst_tid,
		    kp[j].ki_comm, strcmp(kp[j].ki_comm, kp[j].ki_tdname) == 0 ?
		    "-" : kp[j].ki_tdname,
		    kk[i].kkst_state == KKST_STATE_STACKOK ? kk[i].kkst_trace :
		    kk[i].kkst_state == KKST_STATE_RUNNING ? "<running>" :
		    "<unknown>");
	}
	free(kp);
	free(kk);
	return (0);
}
