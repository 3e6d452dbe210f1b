// Prints on the console: the kernel's printf() and panic(), stacks with a
// headline, and the records of ktr(9).
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/proc.h>
#include <stack9/sys/sbuf.h>
#include <stack9/sys/stack.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>

#include <stack9.h>

#include "console.h"
#include "os/uncancelled.h"
#include "private.h"

namespace stack9 {
namespace {

void
print_headed(const char *headline, const struct stack &st) noexcept
{
	stack9_printf("%s", headline);
	stack_print_ddb(&st);
}

// Makes the stack of the caller's caller: the call of stack9_save_self() is the
// caller's own.
[[gnu::always_inline]] inline struct stack
own_stack() noexcept
{
	std::uint64_t pcs[STACK_MAX];
	stack9_self self{};
	struct stack st{};
	self.size = sizeof self;
	if (stack9_save_self(pcs, STACK_MAX, 1, &self) != 0)
		return st;
	st.depth = static_cast<int>(self.depth);
	std::copy_n(pcs, self.depth, st.pcs);
	return st;
}

} // namespace
} // namespace stack9

using namespace stack9;

extern "C" {

int
stack9_vprintf(const char *fmt, va_list ap)
{
	const uncancelled guard;
	char text[1024];	// most lines are printed in one piece
	struct sbuf sb;

	std::size_t made = 0;
	sbuf_new(&sb, text, sizeof text, SBUF_FIXEDLEN);
	sbuf_set_drain(&sb, sbuf_printf_drain, &made);
	sbuf_vprintf(&sb, fmt, ap);
	sbuf_finish(&sb);
	return static_cast<int>(made);
}

int
stack9_printf(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const int made = stack9_vprintf(fmt, ap);
	va_end(ap);
	return made;
}

void
stack9_panic(const char *fmt, ...)
{
	const struct stack st = own_stack();
	va_list ap;

	stack9_printf("panic: ");
	va_start(ap, fmt);
	stack9_vprintf(fmt, ap);
	va_end(ap);
	print_headed("\nKDB: stack backtrace:\n", st);
	std::abort();
}

void
stack9_kdb_backtrace(void)
{
	print_headed("KDB: stack backtrace:\n", own_stack());
}

void
stack9_kdb_backtrace_thread(struct thread *td)
{
	struct stack st{};

	if (td == curthread)
		st = own_stack();
	else
		stack_save_td(&st, td);
	stack9_printf("KDB: stack backtrace of thread %d:\n", td->td_tid);
	stack_print_ddb(&st);
}

void
stack9_use_console(void)
{
	stack9_private_use_console();
}

void
stack9_ktr(unsigned int mask, const char *file, int line, const char *fmt,
    unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
    unsigned long a5, unsigned long a6)
{
	if (stack9_private_ktr(mask, nullptr, 0, nullptr) == 0)
		return;
	const uncancelled guard;
	char text[512];
	struct sbuf sb;

	sbuf_new(&sb, text, sizeof text, SBUF_FIXEDLEN);
	sbuf_printf(&sb, fmt, a1, a2, a3, a4, a5, a6);
	sbuf_finish(&sb);
	stack9_private_ktr(mask, file, line, text);
}

} // extern "C"
