/*
 * Prints in FreeBSD's manner, in one file for two languages: c99.c and cxx.cc
 * compile it strictly; `text` is what it printed through 32 bytes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/param.h>
#include <sys/sbuf.h>

#include <string.h>

struct report {
	struct sbuf	sb;		/* embedded, as struct sbuf allows */
	char		buf[32];
	char		text[512];
	size_t		used;
};

static int
report_drain(void *arg, const char *data, int len)
{
	struct report *r = (struct report *)arg;

	memcpy(r->text + r->used, data, (size_t)len);
	r->used += (size_t)len;
	return (len);
}

static int
report_vadd(struct report *r, const char *fmt, va_list ap)
{
	return (sbuf_vprintf(&r->sb, fmt, ap));
}

static int
report_add(struct report *r, const char *fmt, ...)
{
	va_list ap;
	int error;

	va_start(ap, fmt);
	error = report_vadd(r, fmt, ap);
	va_end(ap);
	return (error);
}

static int
report_fill(struct report *r)
{
	sbuf_drain_func *drain = report_drain;
	int error;

	memset(r, 0, sizeof(*r));
	(void)sbuf_new(&r->sb, r->buf, sizeof(r->buf), SBUF_FIXEDLEN);
	sbuf_set_drain(&r->sb, drain, r);
	(void)report_add(r, "lock order reversal:\n");
	(void)report_add(r, " 1st %p %s (%s, %s) @ %s:%d\n", (void *)0x10,
	    "first", "first lock", "sleep mutex", "/usr/src/sys/kern/a.c", 10);
	(void)report_add(r, " 2nd %p %s\n", (void *)0, "second");
	sbuf_nl_terminate(&r->sb);
	error = sbuf_finish(&r->sb);
	sbuf_delete(&r->sb);
	return (error);
}
