// Has functions to be found: with an alias, of C++, chosen at the start; and
// two probes, one of them at two places.
//
// SPDX-License-Identifier: BSD-2-Clause
#define	OUTSIDE __attribute__((noinline, noipa))
#define	TEXT(x) #x
// Writes a note like those of .note.stapsdt.
#define	PROBE(name, semaphore) __asm__ volatile(			\
	"990:	nop\n"							\
	"	.pushsection .note.stapsdt, \"\", \"note\"\n"		\
	"	.balign 4\n"						\
	"	.4byte 992f - 991f, 994f - 993f, 3\n"			\
	"991:	.asciz \"stapsdt\"\n"					\
	"992:	.balign 4\n"						\
	"993:	.8byte 990b, 0, " TEXT(semaphore) "\n"			\
	"	.asciz \"events\"\n"					\
	"	.asciz \"" name "\"\n"					\
	"	.asciz \"\"\n"						\
	"994:	.balign 4\n"						\
	"	.popsection")

extern "C" {

__attribute__((visibility("hidden"))) unsigned short hit_semaphore = 1;
unsigned short *
where_the_semaphore_is()
{
	return &hit_semaphore;
}

OUTSIDE int
plugin_first(int x)
{
	PROBE("hit", hit_semaphore);
	return x + 1;
}
OUTSIDE int
plugin_second(int x)
{
	PROBE("hit", hit_semaphore);
	PROBE("missed", 0);
	return x * 3;
}
int __plugin_first(int) __attribute__((alias("plugin_first")));

static int
chosen_one(int x)
{
	return x;
}
static int (*choose())(int)
{
	return chosen_one;
}
int chosen(int) __attribute__((ifunc("choose")));

}

namespace {
namespace a { OUTSIDE int twice(int x) { return x + 2; } }
namespace b { OUTSIDE int twice(int x) { return x - 2; } }
}

namespace shapes {
OUTSIDE int
area(int x, int y)
{
	return a::twice(x) * b::twice(y);
}
}
