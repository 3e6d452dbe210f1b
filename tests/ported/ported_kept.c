/*
 * Keeps stacks in kernel code as FreeBSD writes it: in a lock, before allocated
 * memory, and each distinct stack once.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "ported.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MALLOC_DEFINE(M_ZONE, "zone", "zone test");

/* The names alone, and only down to main(): the C library's differ. */
void
print_names(const char *what, const struct stack *st)
{
	struct sbuf sb;
	char *line, *next, *plus;

	printf("%s:", what);
	(void)sbuf_new(&sb, NULL, 0, SBUF_AUTOEXTEND);
	stack_sbuf_print(&sb, st);
	if (sbuf_finish(&sb) != 0) {
		printf(" sbuf error\n");
		return;
	}
	for (line = sbuf_data(&sb); line != NULL && *line != '\0';
	    line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		KASSERT(*line == '#', ("not a frame"));
		line = strstr(line, " at ") + 4;
		plus = strchr(line, '+');
		*plus = '\0';
		printf(" %s", line);
		if (strcmp(line, "main") == 0)
			break;
	}
	printf("\n");
	sbuf_delete(&sb);
}

__noinline9 void
lock_acquire(struct lock *lk)
{

	thread_lock(curthread);
	THREAD_LOCK_ASSERT(curthread, MA_OWNED);
	lk->lk_owner = curthread;
	stack_save(&lk->lk_stack);
	thread_unlock(curthread);
	after = 1;
}

__noinline9 void
lock_wanted(struct lock *lk)
{

	lock_acquire(lk);
	after = 1;
}

/*
 * An allocator that puts a header with the allocation's stack before each
 * piece, the struct not aligned and copied bytewise.
 */
struct zone_header {
	size_t		zh_size;
	struct stack	zh_stack;
};

__noinline9 void *
zone_alloc(size_t size)
{
	struct zone_header zh;
	char *p;

	p = (char *)malloc(sizeof(zh) + size + 1);
	zh.zh_size = size;
	stack_save(&zh.zh_stack);
	memcpy(p + 1, &zh, sizeof(zh));
	after = 1;
	return (p + 1 + sizeof(zh));
}

__noinline9 void
zone_check(const void *p)
{
	struct zone_header zh;
	struct stack st;

	memcpy(&zh, (const char *)p - sizeof(zh), sizeof(zh));
	printf("%s: %zu bytes\n", M_ZONE->ks_shortdesc, zh.zh_size);
	print_names("allocated at", &zh.zh_stack);
	stack_save(&st);
	print_names("checked at", &st);
}

struct epoch_stack *epoch_stacks;

int
same_stack(const struct stack *a, const struct stack *b)
{

	return (a->depth == b->depth && memcmp(a->pcs, b->pcs,
	    (size_t)a->depth * sizeof(a->pcs[0])) == 0);
}

__noinline9 void
epoch_enter(void)
{
	struct epoch_stack *es;
	struct stack st;

	stack_zero(&st);
	stack_save(&st);
	for (es = epoch_stacks; es != NULL; es = es->es_next)
		if (same_stack(&es->es_stack, &st)) {
			es->es_count++;
			return;
		}
	es = (struct epoch_stack *)calloc(1, sizeof(*es));
	stack_copy(&st, &es->es_stack);
	es->es_count = 1;
	es->es_next = epoch_stacks;
	epoch_stacks = es;
}

__noinline9 void
epoch_read(void)
{

	epoch_enter();
	after = 1;
}

__noinline9 void
epoch_write(void)
{

	epoch_enter();
	after = 1;
	epoch_enter();
	after = 1;
}
