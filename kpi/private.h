// Declares what libstack9-overlay needs of libstack9 beside its public calls.
// Both are of one release: these have a symbol version of their own,
// STACK9_PRIVATE, and may change in each.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#pragma GCC visibility push(default)
extern "C" {

// Records a text of ktr(9).  NULL for text: only asks whether records of this
// class are kept.  0: they are not.
int stack9_private_ktr(unsigned int mask, const char *file, int line,
    const char *text);

// The program has a console, as one that includes <sys/systm.h>.
void stack9_private_use_console(void);

}
#pragma GCC visibility pop
