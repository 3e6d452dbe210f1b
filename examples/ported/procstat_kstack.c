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
#include <libprocstat.h>
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
	struct procstat *ps;
	unsigned int i, j, kkcount, kpcount;

	ps = procstat_open_sysctl();
	if (ps == NULL)
		err(1, "procstat_open_sysctl");
	kp = procstat_getprocs(ps, KERN_PROC_PID | KERN_PROC_INC_THREAD,
	    getpid(), &kpcount);
	if (kp == NULL || kpcount == 0)
		err(1, "procstat_getprocs");
	kk = procstat_getkstack(ps, kp, &kkcount);
	if (kk == NULL)
		err(1, "procstat_getkstack");
	qsort(kk, kkcount, sizeof(*kk), by_tid);
	printf("%5s %6s %-19s %-19s %-29s\n", "PID", "TID", "COMM", "TDNAME",
	    "KSTACK");
	for (i = 0; i < kkcount; i++) {
		for (j = 0; j < kpcount; j++)
			if (kp[j].ki_tid == kk[i].kkst_tid)
				break;
		if (j == kpcount)
			continue;
		clean(kk[i].kkst_trace);
		printf("%5d %6d %-19s %-19s %-29s\n", kp[j].ki_pid,
		    kk[i].kkst_tid, kp[j].ki_comm,
		    strcmp(kp[j].ki_comm, kp[j].ki_tdname) == 0 ? "-" :
		    kp[j].ki_tdname,
		    kk[i].kkst_state == KKST_STATE_STACKOK ? kk[i].kkst_trace :
		    kk[i].kkst_state == KKST_STATE_RUNNING ? "<running>" :
		    "<unknown>");
	}
	procstat_freekstack(ps, kk);
	procstat_freeprocs(ps, kp);
	procstat_close(ps);
	return (0);
}
