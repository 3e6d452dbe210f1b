/*
 * Pretends to have the runtime of Lua 5.4, with a state and a call that are
 * right or odd as its argument says: "right", "cycle", "wild", "open",
 * "elsewhere".
 *
 * It answers each line of its input with "end", and makes 1000 system calls for
 * one that begins with "run".  For "rename" the source has another text from
 * then on, at the same place.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include "pretended.h"

#define	WORDS		32
#define	THREAD		8
#define	CLOSURE		0x46
#define	FRESH		4
#define	SHORT_TEXT	4

const char lua_ident[] = "$LuaVersion: Lua 5.4.4  Copyright";

/* By words: their offsets are those of the release. */
static uint64_t state[WORDS], global[WORDS], value[2], closure[4],
    prototype[WORDS], call[WORDS], code[1], lines[1];
static struct {
	uint64_t	next;
	uint8_t		kind, marks, extra, length;
	uint32_t	hash;
	uint64_t	other;
	char		text[16];
} source = {0, SHORT_TEXT, 0, 0, 7, 1, 0, "@forged"};

int	lua_pcallk(int calls), lua_resume(int calls);
uint64_t *volatile kept;

/* It is as large as the loop, and is known by that. */
__attribute__((noinline)) int
lua_pcallk(int calls)
{
	int sum = make_calls(calls);

	__asm__ volatile(".fill 8192, 1, 0x90");
	return sum;
}

int
lua_resume(int calls)
{
	return calls;
}

static void
make(const char *how, uint64_t *entered)
{
	uint64_t *outermost = state + 12;

	state[1] = THREAD;
	state[3] = at(global);
	state[4] = at(call);
	state[11] = at(entered);
	outermost[3] = at(call);
	call[0] = at(value);
	call[2] = at(outermost);
	call[4] = at(code) + 4;
	call[7] = (uint64_t)FRESH << 48;
	value[0] = at(closure);
	value[1] = CLOSURE;
	closure[3] = at(prototype);
	prototype[3] = 1ULL << 32 | 1;	/* of instructions and of lines */
	prototype[5] = 7ULL << 32;
	prototype[8] = at(code);
	prototype[11] = at(lines);
	prototype[14] = at(&source);
	if (strcmp(how, "cycle") == 0)
		call[2] = at(call + 8);
	call[8 + 2] = at(call);
	call[8] = call[0];
	if (strcmp(how, "wild") == 0)
		call[0] = 0x123456789000;
	else if (strcmp(how, "open") == 0)
		call[2] = 0;
	else if (strcmp(how, "elsewhere") == 0)
		state[11] = at(state);
}

static void
rename_source(const char *line)
{
	if (strncmp(line, "rename", 6) == 0)
		memcpy(source.text, "@second", 7);
}

/* The state is on the stack, below the place where it was entered. */
int
main(int argc, char **argv)
{
	uint64_t entered = 0;
	uint64_t *volatile its = state;

	make(argc > 1 ? argv[1] : "right", &entered);
	kept = its;
	return answer_lines(lua_pcallk, rename_source) + (int)entered;
}
