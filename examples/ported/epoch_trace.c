/*
 * Reports each stack on which a section was left in the wrong order once: a
 * red-black tree knows the stacks by their program counters.  The code is in
 * the manner of FreeBSD's epoch(9) with EPOCH_TRACE.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/smp.h>
#include <sys/stack.h>
#include <sys/sysctl.h>
#include <sys/tree.h>
#include <machine/stdarg.h>
#include <vm/vm.h>
#include <vm/vm_extern.h>
#include <vm/vm_kern.h>
#include <vm/uma.h>

static SYSCTL_NODE(_kern, OID_AUTO, section, CTLFLAG_RW, 0, "sections");
static int section_stacks = 0;
SYSCTL_INT(_kern_section, OID_AUTO, stacks, CTLFLAG_RD, &section_stacks, 0,
    "stacks that were reported");

struct seen {
	RB_ENTRY(seen)	se_node;
	struct stack	se_stack;
};

static int
seen_compare(struct seen *a, struct seen *b)
{

	if (a->se_stack.depth != b->se_stack.depth)
		return (a->se_stack.depth < b->se_stack.depth ? -1 : 1);
	return (memcmp(a->se_stack.pcs, b->se_stack.pcs,
	    a->se_stack.depth * sizeof(a->se_stack.pcs[0])));
}

RB_HEAD(seentree, seen) seen_stacks = RB_INITIALIZER(&seen_stacks);
RB_GENERATE_STATIC(seentree, seen, se_node, seen_compare);

static struct mtx seen_lock;
MTX_SYSINIT(seen, &seen_lock, "stacks seen", MTX_DEF);

static void section_report(const char *fmt, ...) __printflike(1, 2);

static void
section_report(const char *fmt, ...)
{
	va_list ap;
	struct seen se, *new;

	stack_zero(&se.se_stack);
	stack_save(&se.se_stack);

	/* A stack that another thread adds meanwhile is reported twice. */
	if (RB_FIND(seentree, &seen_stacks, &se) != NULL)
		return;
	new = malloc(sizeof(*new), M_STACK, M_NOWAIT);
	if (new != NULL) {
		bcopy(&se.se_stack, &new->se_stack, sizeof(struct stack));
		mtx_lock(&seen_lock);
		new = RB_INSERT(seentree, &seen_stacks, new);
		mtx_unlock(&seen_lock);
		if (new != NULL)
			free(new, M_STACK);
	}
	section_stacks++;
	va_start(ap, fmt);
	(void)vprintf(fmt, ap);
	va_end(ap);
	stack_print_ddb(&se.se_stack);
}

static const char *sections[4];
static u_int nsections;

static void
section_enter(const char *name)
{

	if (nsections > 0 && sections[nsections - 1] == name)
		section_report("section %s is entered again\n", name);
	sections[nsections++] = name;
}

static void
section_exit(const char *name)
{

	if (sections[nsections - 1] != name)
		section_report("section %s is left inside %s\n", name,
		    sections[nsections - 1]);
	nsections--;
}

static const char net[] = "net", disk[] = "disk";

static void
crossed(void)
{

	section_enter(net);
	section_enter(disk);
	section_exit(net);
	section_exit(disk);
}

static void
nested(void)
{

	section_enter(net);
	section_enter(net);
	section_exit(net);
	section_exit(net);
}

int
main(void)
{
	struct seen *se;
	int i;

	for (i = 0; i < 1000; i++) {
		crossed();
		nested();
	}
	i = 0;
	RB_FOREACH(se, seentree, &seen_stacks)
		i++;
	printf("%d stacks in the tree, %d reported\n", i, section_stacks);
	return (0);
}
