// Puts the reasons of incomplete stacks into words.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9.h>

extern "C" const char *
stack9_why_text(int why)
{
	switch (why) {
	case STACK9_WHY_NONE:
		return "complete";
	case STACK9_WHY_USER_MODE:
		return "running in user mode";
	case STACK9_WHY_ON_CPU:
		return "running, and nothing here can look at a running thread";
	case STACK9_WHY_MOVED:
		return "moving between CPUs faster than it could be met";
	case STACK9_WHY_TORN:
		return "ran each time while its stack was being read";
	case STACK9_WHY_REFUSED:
		return "the kernel's unwinder refused";
	case STACK9_WHY_IDLE:
		return "an idle task: it runs while its CPU has nothing to do";
	case STACK9_WHY_SILENT:
		return "did not answer the signal in time";
	case STACK9_WHY_GONE:
		return "no such thread";
	case STACK9_WHY_REUSED:
		return "gone; another thread has its tid now";
	case STACK9_WHY_ZOMBIE:
		return "a zombie: dead, waiting to be reaped";
	case STACK9_WHY_EXITING:
		return "exiting; its stack is gone";
	case STACK9_WHY_RIGHTS:
		return "not allowed";
	case STACK9_WHY_MACHINE:
		return "not possible on this machine";
	case STACK9_WHY_RESOURCE:
		return "out of memory or descriptors";
	case STACK9_WHY_TRUNCATED:
		return "truncated";
	case STACK9_WHY_REGISTERS:
		return "stopped: an outer frame needs registers that are not "
		    "known";
	case STACK9_WHY_UNWIND:
		return "stopped: no unwind information";
	case STACK9_WHY_KTHREAD:
		return "a kernel thread: it has no user stack";
	case STACK9_WHY_TRACED:
		return "traced by another program";
	case STACK9_WHY_MEMORY:
		return "stopped: the rest of the stack cannot be read";
	case STACK9_WHY_LATE:
		return "its memory was not to be had in time";
	case STACK9_WHY_AWAY:
		return "has not returned to user space";
	}
	return "unknown";
}
