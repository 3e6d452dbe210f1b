/*
 * Reads kern.proc of this machine by sysctl(3), and asserts what the records
 * are.  The program registers one object of its own there.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/param.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <err.h>
#include <errno.h>
#include <libprocstat.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define	MUST(exp) do {							\
	if (!(exp))							\
		err(1, "line %d: %s", __LINE__, #exp);			\
} while (0)

static struct procstat *ps;
static int pipes[2][2];		/* to the child, from it */

static int
own_pathname(SYSCTL_HANDLER_ARGS)
{
	static const char mine[] = "mine";

	return (arg2 == 1 ? SYSCTL_OUT(req, mine, sizeof(mine)) : EINVAL);
}
static SYSCTL_NODE(_kern_proc, KERN_PROC_PATHNAME, pathname, CTLFLAG_RD,
    own_pathname, "an object of the program");

static void *
second(void *arg)
{
	char byte;

	MUST(read(pipes[0][0], &byte, 1) >= 0);
	return (arg);
}

/* Two threads that sleep in a pipe once they have said so. */
static pid_t
start(const char *self)
{
	pid_t pid;

	MUST(pipe(pipes[0]) == 0 && pipe(pipes[1]) == 0);
	pid = fork();
	MUST(pid >= 0);
	if (pid != 0) {
		char byte;
		close(pipes[0][0]);
		close(pipes[1][1]);
		MUST(read(pipes[1][0], &byte, 1) == 1);
		return (pid);
	}
	dup2(pipes[0][0], 0);
	dup2(pipes[1][1], 1);
	close(pipes[0][1]);
	execl(self, "kern_proc", "a b", "", NULL);
	err(1, "%s", self);
}

static int
victim(void)
{
	pthread_t t;

	pipes[0][0] = 0;
	signal(SIGUSR1, SIG_IGN);
	MUST(pthread_create(&t, NULL, second, NULL) == 0);
	MUST(write(1, "x", 1) == 1);
	second(NULL);
	return (pthread_join(t, NULL));
}

static struct kinfo_proc *
get(int what, int of, unsigned int *count)
{
	struct kinfo_proc *kp = procstat_getprocs(ps, what, of, count);

	MUST(kp != NULL);
	return (kp);
}

static void
process(pid_t pid)
{
	struct kinfo_proc *kp;
	struct timeval now;
	unsigned int count;

	kp = get(KERN_PROC_PID, pid, &count);
	MUST(count == 1 && kp->ki_structsize == (int)sizeof(*kp));
	MUST(kp->ki_pid == pid && kp->ki_tid == pid);
	MUST(kp->ki_ppid == getpid() && kp->ki_pgid == getpgrp());
	MUST(kp->ki_sid == getsid(0) && kp->ki_numthreads == 2);
	MUST(kp->ki_uid == geteuid() && kp->ki_ruid == getuid());
	MUST(kp->ki_groups[0] == getegid() && kp->ki_rgid == getgid());
	MUST(strcmp(kp->ki_comm, "kern_proc") == 0);
	MUST(sigismember(&kp->ki_sigignore, SIGUSR1) == 1);
	MUST(sigismember(&kp->ki_sigignore, SIGUSR2) == 0);
	MUST((kp->ki_flag & (P_INMEM | P_HADTHREADS | P_SYSTEM)) ==
	    (P_INMEM | P_HADTHREADS));
	MUST(gettimeofday(&now, NULL) == 0);
	MUST(kp->ki_start.tv_sec <= now.tv_sec + 1 &&
	    kp->ki_start.tv_sec >= now.tv_sec - 60);
	MUST(kp->ki_size > 0 && kp->ki_rssize > 0);
	procstat_freeprocs(ps, kp);
	/* The caller runs while it asks. */
	kp = get(KERN_PROC_PID, getpid(), &count);
	MUST(kp->ki_stat == SRUN && kp->ki_oncpu >= 0 &&
	    kp->ki_oncpu == kp->ki_lastcpu);
	procstat_freeprocs(ps, kp);
}

/* A thread sleeps soon after it has said that it will. */
static void
threads(pid_t pid)
{
	struct kinfo_proc *kp;
	unsigned int count, asleep, i;

	do {
		kp = get(KERN_PROC_PID | KERN_PROC_INC_THREAD, pid, &count);
		MUST(count == 2);
		for (asleep = i = 0; i < count; i++)
			asleep += kp[i].ki_stat == SSLEEP;
		MUST(kp[0].ki_tid == pid && kp[1].ki_tid > pid);
		MUST(kp[1].ki_pid == pid && kp[1].ki_ppid == getpid());
		if (asleep == 2)
			MUST(kp[1].ki_oncpu == NOCPU && kp[1].ki_lastcpu >= 0);
		procstat_freeprocs(ps, kp);
	} while (asleep != 2);
}

static void
chosen(pid_t pid)
{
	struct kinfo_proc *kp;
	unsigned int count, found, i;
	const int whats[][2] = { { KERN_PROC_PROC, 0 },
	    { KERN_PROC_UID, (int)geteuid() }, { KERN_PROC_PGRP, getpgrp() },
	    { KERN_PROC_SESSION, getsid(0) }, { KERN_PROC_ALL, 0 },
	    { KERN_PROC_UID | KERN_PROC_INC_THREAD, (int)geteuid() } };
	unsigned int what;

	for (what = 0; what < nitems(whats); what++) {
		kp = get(whats[what][0], whats[what][1], &count);
		for (found = i = 0; i < count; i++)
			found += kp[i].ki_pid == pid;
		MUST(found == (what < 4 ? 1 : 2));
		procstat_freeprocs(ps, kp);
	}
	kp = get(KERN_PROC_UID, 0x7ffffff0, &count);
	MUST(count == 0);
	procstat_freeprocs(ps, kp);
}

static void
strings(pid_t pid)
{
	struct kinfo_proc *kp;
	unsigned int count;
	char path[64], **argv;

	kp = get(KERN_PROC_PID, pid, &count);
	argv = procstat_getargv(ps, kp, 0);
	MUST(argv != NULL && strcmp(argv[0], "kern_proc") == 0);
	MUST(strcmp(argv[1], "a b") == 0 && argv[2][0] == '\0');
	MUST(argv[3] == NULL);
	procstat_freeargv(ps);
	MUST(procstat_getpathname(ps, kp, path, sizeof(path)) == 0);
	MUST(strcmp(path, "mine") == 0);	/* the program's own object */
	procstat_freeprocs(ps, kp);
}

static void
errors(pid_t pid)
{
	struct kinfo_proc kp[1];
	size_t len, count;
	int mib[CTL_MAXNAME] = { CTL_KERN, KERN_PROC, KERN_PROC_PID, pid };

	len = 0;
	MUST(sysctl(mib, 4, NULL, &len, NULL, 0) == 0);
	MUST(len == 6 * sizeof(kp[0]));
	len = sizeof(kp[0]) - 1;
	MUST(sysctl(mib, 4, kp, &len, NULL, 0) == -1 && errno == ENOMEM);
	len = sizeof(kp);
	MUST(sysctl(mib, 3, kp, &len, NULL, 0) == -1 && errno == EINVAL);
	MUST(sysctl(mib, 4, NULL, NULL, kp, sizeof(kp)) == -1 &&
	    errno == EPERM);
	mib[3] = 0x7ffffff0;
	MUST(sysctl(mib, 4, kp, &len, NULL, 0) == -1 && errno == ESRCH);
	mib[2] = KERN_PROC_KSTACK;
	MUST(sysctl(mib, 4, kp, &len, NULL, 0) == -1 && errno == ESRCH);
	mib[2] = 99;
	MUST(sysctl(mib, 4, kp, &len, NULL, 0) == -1 && errno == ENOENT);
	count = nitems(mib);
	MUST(sysctlnametomib("kern.proc.pid_td", mib, &count) == 0);
	MUST(count == 3 && mib[0] == CTL_KERN && mib[1] == KERN_PROC &&
	    mib[2] == (KERN_PROC_PID | KERN_PROC_INC_THREAD));
	count = nitems(mib);
	MUST(sysctlnametomib("kern.proc.nothing", mib, &count) == -1 &&
	    errno == ENOENT);
}

/* Prints "no stacks" where this caller may not see any. */
static void
kernel_stacks(pid_t pid)
{
	struct kinfo_kstack *kk;
	struct kinfo_proc *kp;
	unsigned int count, i;

	kp = get(KERN_PROC_PID, pid, &count);
	kk = procstat_getkstack(ps, kp, &count);
	procstat_freeprocs(ps, kp);
	if (kk == NULL && (errno == EPERM || errno == EOPNOTSUPP)) {
		printf("no stacks: %s\n", strerror(errno));
		return;
	}
	MUST(kk != NULL && count == 2);
	for (i = 0; i < count; i++) {
		MUST(kk[i].kkst_state == KKST_STATE_STACKOK);
		MUST(kk[i].kkst_tid >= pid);
		MUST(strncmp(kk[i].kkst_trace, "#0 ", 3) == 0);
		MUST(strstr(kk[i].kkst_trace, "pipe_read+0x") != NULL);
	}
	procstat_freekstack(ps, kk);
}

int
main(int argc, char **argv)
{
	pid_t pid;
	int status;

	if (argc > 1)
		return (victim());
	ps = procstat_open_sysctl();
	MUST(ps != NULL && procstat_open_core("core") == NULL);
	pid = start(argv[0]);
	threads(pid);
	process(pid);
	chosen(pid);
	strings(pid);
	errors(pid);
	kernel_stacks(pid);
	close(pipes[0][1]);
	MUST(waitpid(pid, &status, 0) == pid && status == 0);
	procstat_close(ps);
	return (0);
}
