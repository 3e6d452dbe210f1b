/*-
 * Runs a test program with a limit of time, and ends all processes that the
 * program leaves.
 *
 *	guard seconds report program [argument...]
 *
 * The report is a line for a shell: how the program ended (its exit status,
 * 128 + a signal, 124 where its time was over), the seconds it took, the
 * seconds of CPU that it and its children used, and the number of processes
 * that it left.  A process is left if it is still there a second after the
 * program's end; or ten seconds after, if it was killed meanwhile and has only
 * to die.  The names of such processes go to the standard output.
 * STACKPRINT, if set, is a stackprint that prints the stacks of a program whose
 * time is over, and of its children.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t program = -1;
static int status = -1;		/* of the program; -1: it runs */
static volatile sig_atomic_t reported_to_end;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return ((double)t.tv_sec + (double)t.tv_nsec * 1e-9);
}

/*
 * The part of a second of CPU that a second brings: on a machine with more
 * runnable threads than CPUs a program needs that much longer, and a limit that
 * did not know of it would fail tests for the load.
 */
static double
share(void)
{
	double load;
	const double cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);

	if (getloadavg(&load, 1) != 1 || load <= cpus)
		return (1);
	return (cpus / load);
}

/* Reaps what has ended.  Returns whether a child is left. */
static int
reap(void)
{
	int s;
	pid_t pid;

	while ((pid = waitpid(-1, &s, WNOHANG | __WALL)) > 0)
		if (pid == program)
			status = WIFEXITED(s) ? WEXITSTATUS(s) :
			    128 + WTERMSIG(s);
	return (pid == 0);
}

/* Waits until a child ends or a signal comes, for some milliseconds. */
static void
wait_ms(long ms)
{
	const struct timespec t = {ms / 1000, ms % 1000 * 1000000};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	switch (sigtimedwait(&set, NULL, &t)) {
	case SIGHUP:
	case SIGINT:
	case SIGTERM:
		reported_to_end = 1;
	}
}

static FILE *
open_children(void)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
	return (fopen(path, "r"));
}

/*
 * Returns whether the process was killed.  SIGKILL stays with a process until
 * it is reaped.  That the first thread has ended says nothing of the others.
 */
static int
is_killed(pid_t pid)
{
	char line[256];
	unsigned long long set, sets = 0;
	FILE *f;

	snprintf(line, sizeof line, "/proc/%d/status", pid);
	if ((f = fopen(line, "r")) == NULL)
		return (0);
	while (fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "SigPnd: %llx", &set) == 1 ||
		    sscanf(line, "ShdPnd: %llx", &set) == 1)
			sets |= set;
	fclose(f);
	return ((sets >> (SIGKILL - 1) & 1) != 0);
}

/* Returns whether children are left and each of them was killed. */
static int
only_killed(void)
{
	int any = 0, killed = 1;
	pid_t pid;
	FILE *all;

	if ((all = open_children()) == NULL)
		return (0);
	for (; killed && fscanf(all, "%d", &pid) == 1; any = 1)
		killed = is_killed(pid);
	fclose(all);
	return (any && killed);
}

/* Kills each child; the children of those become ours.  Returns how many. */
static int
kill_children(int tell)
{
	char path[64], name[64];
	int killed = 0;
	pid_t pid;
	FILE *all, *f;

	if ((all = open_children()) == NULL)
		return (0);
	for (; fscanf(all, "%d", &pid) == 1; killed++) {
		snprintf(path, sizeof path, "/proc/%d/comm", pid);
		if (tell && (f = fopen(path, "r")) != NULL) {
			if (fscanf(f, "%63[^\n]", name) == 1)
				printf("left behind: process %d, %s\n", pid,
				    name);
			fclose(f);
		}
		kill(pid, SIGKILL);
	}
	fclose(all);
	return (killed);
}

static void
start(char **argv)
{
	const pid_t us = getpid();
	sigset_t none;

	if ((program = fork()) < 0) {
		perror("fork");
		exit(71);
	}
	if (program != 0)
		return;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != us)
		_exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	unsetenv("STACKPRINT");
	execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* Waits while some process is there, for seconds of a machine not busy. */
static void
wait_for(int (*is_there)(void), double seconds)
{
	double last = now(), t;

	while (is_there() && !reported_to_end && seconds > 0) {
		wait_ms(100);
		t = now();
		seconds -= (t - last) * share();
		last = t;
	}
}

static int
runs(void)
{
	reap();
	return (status < 0);
}

/* Prints where the program is, before that is lost. */
static void
print_stacks(void)
{
	const char *const with = getenv("STACKPRINT");
	char of[16];
	double until = now() + 20;
	sigset_t none;
	pid_t pid;

	if (with == NULL || status >= 0)
		return;
	snprintf(of, sizeof of, "%d", program);
	if ((pid = fork()) == 0) {
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		execl(with, with, "-p", of, "--children", "-l", (char *)NULL);
		_exit(127);
	}
	while (pid > 0 && now() < until && waitpid(pid, NULL, WNOHANG) == 0)
		wait_ms(100);
}

/*
 * A process that ends by itself, or dies with its parent, gets a second.  One
 * that is killed meanwhile may be long about it where the CPU is another's.
 */
static int
clear(int tell)
{
	int left, round;

	if (tell)
		wait_for(reap, 1);
	for (round = 1; tell && round < 10 && only_killed(); round++)
		wait_for(reap, 1);
	left = reap() ? kill_children(tell) : 0;
	for (round = 0; round < 500 && reap(); round++) {
		kill_children(0);
		wait_ms(20);
	}
	return (tell ? left : 0);
}

int
main(int argc, char **argv)
{
	struct rusage of;
	sigset_t all;
	double begin = now();
	int code, left;
	FILE *report;

	if (argc < 4) {
		fprintf(stderr, "usage: guard seconds report program ...\n");
		return (64);
	}
	/* A shell ignores these for what it runs in the background. */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	start(argv + 3);
	wait_for(runs, atof(argv[1]));
	code = status;
	if (code < 0) {
		code = reported_to_end ? 128 + SIGTERM : 124;
		if (!reported_to_end)
			print_stacks();
		kill(-program, SIGTERM);
		wait_for(runs, 10);
	}
	left = clear(code == status);
	getrusage(RUSAGE_CHILDREN, &of);
	if ((report = fopen(argv[2], "w")) == NULL)
		return (71);
	fprintf(report, "code=%d took=%.1f cpu=%.1f left=%d\n", code,
	    now() - begin,
	    (double)(of.ru_utime.tv_sec + of.ru_stime.tv_sec) +
	    (double)(of.ru_utime.tv_usec + of.ru_stime.tv_usec) * 1e-6, left);
	return (fclose(report) == 0 ? 0 : 71);
}
