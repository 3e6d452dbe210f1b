/*
 * Pretends to have the runtime of Perl 5.36 without threads, with contexts that
 * are right or odd as its argument says: "right", "cycle", "wild", "many",
 * "nobody", "by glob".
 *
 * It answers each line of its input with "end", and makes 1000 system calls for
 * one that begins with "run".  For "rename" the function has another name from
 * then on, at the same place.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include "pretended.h"

#define	WORDS	16
#define	CONTEXT	13		/* words of a context */
#define	BLOCK	1
#define	SUB	9

const unsigned char PL_version = 36;
void *PL_curcop, *PL_op, *PL_curstackinfo;

/* By words: their offsets are those of the release. */
static uint64_t stack[WORDS], contexts[2 * CONTEXT], statement[WORDS], sub[3],
    body[WORDS], file[3], body_of_file[WORDS], glob[3], body_of_glob[WORDS];
static struct {
	uint32_t	hash, length;
	char		text[16];
} name = {1, 6, "forged"}, file_name = {2, 8, "_<forged"};

int	Perl_runops_standard(int calls);

int
Perl_runops_standard(int calls)
{
	return make_calls(calls);
}

static void
make(const char *how)
{
	uint64_t *of_sub = contexts + CONTEXT;

	PL_curcop = statement;
	PL_curstackinfo = stack;
	stack[1] = at(contexts);
	stack[4] = 1;
	stack[0x28 / 8] = 1ULL << 32;
	contexts[0] = BLOCK;
	of_sub[0] = SUB;
	of_sub[0x10 / 8] = at(statement);
	of_sub[0x30 / 8] = at(statement);
	of_sub[0x48 / 8] = at(sub);
	statement[0x20 / 8] = 7ULL << 32;
	statement[0x30 / 8] = at(file);
	sub[0] = at(body);
	sub[1] = 13ULL << 32;
	body[0x38 / 8] = at(&name);
	body[0x58 / 8] = 0x8000ULL << 32;
	file[0] = at(body_of_file);
	body_of_file[0x20 / 8] = at(&file_name);
	if (strcmp(how, "cycle") == 0)
		stack[2] = at(stack);
	else if (strcmp(how, "wild") == 0)
		stack[1] = 0x123456789000;
	else if (strcmp(how, "many") == 0)
		stack[4] = 1 << 30;
	else if (strcmp(how, "nobody") == 0)
		of_sub[0x48 / 8] = 0;
	else if (strcmp(how, "by glob") == 0) {
		body[0x38 / 8] = at(glob);
		body[0x58 / 8] = 0;
		glob[0] = at(body_of_glob);
		glob[2] = at(contexts);
		body_of_glob[0x20 / 8] = at(&name);
	}
}

/* Gives the function another name, at the same place. */
static void
rename_function(const char *line)
{
	if (strncmp(line, "rename", 6) == 0) {
		name.hash = 3;
		memcpy(name.text, "second", 6);
	}
}

int
main(int argc, char **argv)
{
	make(argc > 1 ? argv[1] : "right");
	return answer_lines(Perl_runops_standard, rename_function);
}
