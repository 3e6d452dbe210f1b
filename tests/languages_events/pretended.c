/*
 * Pretends to have the runtime of CPython 3.11, with frames that are right or
 * odd as its argument says: "right", "cycle", "wild", "threads".
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

/* By words: their offsets are those of the release. */
uint64_t _PyRuntime[WORDS];
const uint32_t Py_Version = 0x030b00f0;

static uint64_t interpreter[WORDS], thread[WORDS], other[WORDS], record[WORDS],
    frame[WORDS], code[WORDS], lines[WORDS];
static struct {
	uint64_t	count, type, length, hash;
	uint32_t	state, pad;
	uint64_t	none;
	char		text[16];
} name = {1, 0, 6, 7, 1 << 2 | 1 << 5 | 1 << 6, 0, 0, "forged"};

int _PyEval_EvalFrameDefault(int calls);

int
_PyEval_EvalFrameDefault(int calls)
{
	return make_calls(calls);
}

static void
make(const char *how)
{
	_PyRuntime[40 / 8] = at(interpreter);
	interpreter[16 / 8] = at(thread);
	thread[16 / 8] = at(interpreter);
	thread[56 / 8] = at(record);
	thread[152 / 8] = at((void *)pthread_self());
	record[1] = at(frame);
	frame[32 / 8] = at(code);
	frame[56 / 8] = at(code) + 184;
	frame[64 / 8] = 1ULL << 32;		/* is_entry */
	code[72 / 8] = 41;
	code[112 / 8] = code[120 / 8] = code[128 / 8] = at(&name);
	code[136 / 8] = at(lines);
	if (strcmp(how, "cycle") == 0)
		frame[48 / 8] = at(frame);
	else if (strcmp(how, "wild") == 0)
		record[1] = 0x123456789000;
	else if (strcmp(how, "threads") == 0) {
		interpreter[16 / 8] = at(other);
		other[8 / 8] = at(other);
	}
}

int
main(int argc, char **argv)
{
	make(argc > 1 ? argv[1] : "right");
	return answer_lines(_PyEval_EvalFrameDefault, NULL);
}
