/*
 * Makes calls of FreeBSD's user libraries that its programs with sbufs make:
 * libsbuf's sbuf_finish(), hexdump(3), libxo's text.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/param.h>
#include <sys/sbuf.h>

#include <err.h>
#include <errno.h>
#include <libutil.h>
#include <libxo/xo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
take_nothing(void *arg, const char *text, int len)
{

	(void)arg;
	(void)text;
	(void)len;
	return (0);
}

static void
finish(void)
{
	char small[4];
	struct sbuf sb;

	errno = 0;
	sbuf_new(&sb, small, sizeof(small), SBUF_FIXEDLEN);
	sbuf_cat(&sb, "abc");
	printf("it fits: %d", sbuf_finish(&sb));
	printf(" %d\n", errno);
	sbuf_clear(&sb);
	sbuf_cat(&sb, "abcd");
	printf("it does not: %d", sbuf_finish(&sb));
	printf(" %d\n", errno == ENOMEM);
	sbuf_clear(&sb);
	sbuf_set_drain(&sb, take_nothing, NULL);
	sbuf_cat(&sb, "ab");
	printf("nobody takes it: %d", sbuf_finish(&sb));
	printf(" %d\n", errno == EDEADLK);
	sbuf_delete(&sb);
}

static void
dump(void)
{

	hexdump("0123456789abcdef\n\177", 18, NULL, 0);
	hexdump("0123456789", 10, "> ", 4 | ':' << 8);
	hexdump("0123", 4, "", HD_OMIT_COUNT | HD_OMIT_CHARS | 4);
	hexdump("0123", 4, "", HD_OMIT_COUNT | HD_OMIT_HEX | 4);
	hexdump("", 0, "never", 0);
}

static void
fields(void)
{
	int made;

	made = xo_emit("{T:/%5s %-8s}|\n", "PID", "COMM");
	xo_emit("{k:process_id/%5d/%d} {:command/%-8s/%s}|\n", 17, "sh");
	xo_emit("{le:token/%s}{d:trace/%s}{e:long/%ju}{:all/%#jx}\n", "hidden",
	    "shown", (uintmax_t)7, (uintmax_t)255);
	xo_emit("{Lwc:Load}{:load/%d.%02d}{U:/%%}, {:name} {{x}}\n", 1, 5,
	    "as it is");
	xo_emit("{:precise/%*s|%-*.*s|%c%5.1f}{P:   }{T:Name/%-6s}|\n", 4, "r",
	    4, 2, "left", 'c', 2.25);
	xo_emit("{:size/%zu} {:big/%lld} {:half/%hhx} {:at/%p}\n",
	    (size_t)3, -1LL, 0x1ff, (void *)0x10);
	printf("%d characters\n", made);
	xo_open_list("trace");
	xo_close_list("trace");
}

int
main(int argc, char **argv)
{
	char *xml[] = { argv[0], (char *)(uintptr_t)"--libxo=xml", NULL };

	finish();
	dump();
	fields();
	printf("%d arguments\n", xo_parse_args(argc, argv));
	fflush(stdout);
	printf("xml: %d\n", xo_parse_args(2, xml));
	return (xo_finish() < 0);
}
