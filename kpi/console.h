// Declares the calls of <sys/systm.h>, <sys/kdb.h> and <sys/ktr.h> for the
// library itself.  Those headers rename printf() and more, so no file of the
// library includes them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdarg>
#include <cstddef>

struct thread;

#pragma GCC visibility push(default)
extern "C" {

[[gnu::format(printf, 1, 2)]] int stack9_printf(const char *fmt, ...);
[[gnu::format(printf, 1, 0)]] int stack9_vprintf(const char *fmt,
    std::va_list ap);
[[noreturn, gnu::format(printf, 1, 2)]] void stack9_panic(const char *fmt, ...);
void stack9_kdb_backtrace(void);
void stack9_kdb_backtrace_thread(struct thread *td);
// Called before main() by each file that includes <sys/systm.h>.
void stack9_use_console(void);
void stack9_ktr(unsigned int mask, const char *file, int line, const char *fmt,
    unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
    unsigned long a5, unsigned long a6);
int stack9_copyin(const void *from, void *to, std::size_t len);
int stack9_copyinstr(const void *from, void *to, std::size_t len,
    std::size_t *done);

}
#pragma GCC visibility pop
