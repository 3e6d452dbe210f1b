/*
 * Prints the threads of processes of this machine, and their kernel stacks, in
 * the columns of procstat(1): procstat [-h] -k [-k] | -t {-a | pid ...}.  It is
 * a file of a program that registers no object of sysctl(3).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include <sys/param.h>
#include <sys/sysctl.h>
#include <sys/user.h>

#include <err.h>
#include <errno.h>
#include <libprocstat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

static int hflag, kflag, tflag;

static void __dead2
usage(void)
{

	(void)fprintf(stderr,
	    "usage: %s [-h] -k [-k] | -t {-a | pid ...}\n", getprogname());
	exit(EX_USAGE);
}

/* The name of a thread, if it has one of its own. */
static void
thread_name(const struct kinfo_proc *kp, char *to, size_t size)
{

	(void)strlcpy(to, kp->ki_tdname, size);
	(void)strlcat(to, kp->ki_moretdname, size);
	if (to[0] == '\0' || strcmp(to, kp->ki_comm) == 0)
		(void)strlcpy(to, "-", size);
}

/* Keeps the names of the lines "#0 0x1234 at name+0x10", or names and offsets,
 * and joins them. */
static char *
names_of(const char *trace)
{
	const char *line, *name, *end;
	char *text, *more;
	int len;

	text = strdup("");
	for (line = trace; text != NULL && *line == '#'; line = end + 1) {
		name = strstr(line, " at ");
		end = strchr(line, '\n');
		if (name == NULL || end == NULL)
			break;
		name += strlen(" at ");
		len = (int)(kflag > 1 ? end - name :
		    (long)strcspn(name, "+\n"));
		if (asprintf(&more, "%s%.*s ", text, len, name) < 0)
			err(EX_OSERR, "asprintf");
		free(text);
		text = more;
	}
	if (text == NULL)
		err(EX_OSERR, "strdup");
	return (text);
}

static int
by_tid(const void *a, const void *b)
{

	return (((const struct kinfo_proc *)a)->ki_tid -
	    ((const struct kinfo_proc *)b)->ki_tid);
}

static void
stacks(struct procstat *ps, struct kinfo_proc *process, struct kinfo_proc *kp,
    unsigned int kpcount)
{
	struct kinfo_kstack *kk;
	unsigned int i, j, kkcount;
	char name[COMMLEN + 1], *trace;

	if (!hflag)
		printf("%5s %6s %-19s %-19s %-29s\n", "PID", "TID", "COMM",
		    "TDNAME", "KSTACK");
	kk = procstat_getkstack(ps, process, &kkcount);
	if (kk == NULL) {
		if (errno != ESRCH && errno != EPERM)
			warn("%d: kern.proc.kstack", process->ki_pid);
		return;
	}
	for (i = 0; i < kkcount; i++) {
		for (j = 0; j < kpcount; j++)
			if (kp[j].ki_tid == kk[i].kkst_tid)
				break;
		if (j == kpcount)
			continue;
		thread_name(&kp[j], name, sizeof(name));
		printf("%5d %6d %-19s %-19s ", kp[j].ki_pid, kp[j].ki_tid,
		    kp[j].ki_comm, name);
		switch (kk[i].kkst_state) {
		case KKST_STATE_RUNNING:
			printf("%-29s\n", "<running>");
			break;
		case KKST_STATE_SWAPPED:
			printf("%-29s\n", "<swapped>");
			break;
		case KKST_STATE_STACKOK:
			trace = names_of(kk[i].kkst_trace);
			printf("%-29s\n", trace);
			free(trace);
			break;
		default:
			printf("%-29s\n", "<unknown>");
		}
	}
	procstat_freekstack(ps, kk);
}

static const char *
state_of(const struct kinfo_proc *kp)
{

	switch (kp->ki_stat) {
	case SRUN:
		return ("run");
	case SZOMB:
		return ("zomb");
	case SSLEEP:
		return ("sleep");
	case SSTOP:
		return ("stop");
	case SWAIT:
		return ("wait");
	case SLOCK:
		return ("lock");
	case SIDL:
		return ("idl");
	default:
		return ("??");
	}
}

static void
threads(struct kinfo_proc *kp, unsigned int kpcount)
{
	unsigned int i;
	char name[COMMLEN + 1];

	if (!hflag)
		printf("%5s %6s %-19s %-19s %2s %4s %-7s %-9s\n", "PID", "TID",
		    "COMM", "TDNAME", "CPU", "PRI", "STATE", "WCHAN");
	for (i = 0; i < kpcount; i++) {
		thread_name(&kp[i], name, sizeof(name));
		printf("%5d %6d %-19s %-19s ", kp[i].ki_pid, kp[i].ki_tid,
		    kp[i].ki_comm, name);
		if (kp[i].ki_oncpu != NOCPU)
			printf("%3d ", kp[i].ki_oncpu);
		else if (kp[i].ki_lastcpu != NOCPU)
			printf("%3d ", kp[i].ki_lastcpu);
		else
			printf("%3s ", "-");
		printf("%4d %-7s %-9s\n", kp[i].ki_pri.pri_level,
		    state_of(&kp[i]), (kp[i].ki_kiflag & KI_LOCKBLOCK) != 0 ?
		    kp[i].ki_lockname : kp[i].ki_wmesg[0] != '\0' ?
		    kp[i].ki_wmesg : "-");
	}
}

static void
show(struct procstat *ps, struct kinfo_proc *process)
{
	struct kinfo_proc *kp;
	unsigned int count;

	kp = procstat_getprocs(ps, KERN_PROC_PID | KERN_PROC_INC_THREAD,
	    process->ki_pid, &count);
	if (kp == NULL)
		return;
	qsort(kp, count, sizeof(*kp), by_tid);
	if (kflag)
		stacks(ps, process, kp, count);
	else
		threads(kp, count);
	hflag = 1;
	procstat_freeprocs(ps, kp);
}

int
main(int argc, char *argv[])
{
	struct kinfo_proc *kp;
	struct procstat *ps;
	const char *why;
	unsigned int count, j;
	int aflag, ch, i, what;
	pid_t pid;

	aflag = 0;
	while ((ch = getopt(argc, argv, "ahkt")) != -1) {
		switch (ch) {
		case 'a':
			aflag = 1;
			break;
		case 'h':
			hflag = 1;
			break;
		case 'k':
			kflag++;
			break;
		case 't':
			tflag = 1;
			break;
		default:
			usage();
		}
	}
	argc -= optind;
	argv += optind;
	if ((kflag != 0) == tflag || kflag > 2 || (argc == 0) != aflag)
		usage();
	ps = procstat_open_sysctl();
	if (ps == NULL)
		errx(EX_OSERR, "procstat_open_sysctl()");
	for (i = 0; i < argc + aflag; i++) {
		what = aflag ? KERN_PROC_PROC : KERN_PROC_PID;
		pid = 0;
		if (!aflag) {
			pid = (pid_t)strtonum(argv[i], 0, 99999999, &why);
			if (why != NULL)
				errc(EX_USAGE, errno, "%s: %s", argv[i], why);
		}
		kp = procstat_getprocs(ps, what, pid, &count);
		if (kp == NULL)
			err(EX_OSERR, "procstat_getprocs()");
		for (j = 0; j < count; j++)
			show(ps, &kp[j]);
		procstat_freeprocs(ps, kp);
	}
	procstat_close(ps);
	return (0);
}
