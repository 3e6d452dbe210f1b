/*
 * Pretends to have the runtime of Ruby 3.1, with frames that are right or odd
 * as its argument says: "right", "around", "wild", "outside".
 *
 * It answers each line of its input with "end", and makes 1000 system calls for
 * one that begins with "run".
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <pthread.h>

#include "pretended.h"

#define	WORDS	64
#define	FRAME	8		/* words of a frame */
#define	INTERNAL(kind)	(26 | (kind) << 12)

const char ruby_version[] = "3.1.2";
static __thread volatile uint64_t current_context;

/* By words: their offsets are those of the release. */
static uint64_t context[WORDS], thread[WORDS], stack[WORDS], code[WORDS],
    body[WORDS], lines[WORDS], instructions[WORDS];
static struct {
	uint64_t	flags, class;
	char		text[24];
} name = {5 | 6 << 14, 0, "forged"};

int	loop(int calls);

int
loop(int calls)
{
	return make_calls(calls);
}

static void
make(const char *how)
{
	uint64_t *frame = stack + WORDS - FRAME, *environment = stack + 4;

	current_context = at(context);
	context[0] = at(stack);
	context[1] = WORDS;
	context[2] = at(frame);
	context[48 / 8] = at(thread);
	thread[40 / 8] = at(context);
	thread[80 / 8] = at((void *)pthread_self());
	frame[0] = at(instructions + 1);
	frame[2] = at(code);
	frame[4] = at(environment);
	environment[0] = 0x11110001 | 0x20 | 2;	/* FINISH, LOCAL */
	code[0] = INTERNAL(7);
	code[2] = at(body);
	body[0] = 1 | 8ULL << 32;
	body[1] = at(instructions);
	instructions[0] = at((void *)loop);
	body[64 / 8] = body[72 / 8] = body[80 / 8] = at(&name);
	body[120 / 8] = at(lines);
	body[136 / 8] = 1;
	body[176 / 8] = at(code);
	lines[0] = 7;
	if (strcmp(how, "around") == 0) {
		environment[0] &= ~2ULL;
		environment[-1] = at(environment);
	} else if (strcmp(how, "wild") == 0)
		frame[4] = 0x123456789000;
	else if (strcmp(how, "outside") == 0)
		context[2] = at(stack + WORDS);
}

int
main(int argc, char **argv)
{
	make(argc > 1 ? argv[1] : "right");
	return answer_lines(loop, NULL);
}
