// The kernel's printf formats.  Async-signal-safe: no heap, lock or locale,
// some 400 bytes of stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdarg>
#include <cstddef>

namespace stack9 {

// Takes a piece of text, as it is made; a NUL made by %c comes alone.
using text_put = void (*)(void *arg, const char *text, std::size_t len);

// Returns the length of the whole.  man/sbuf.9 says what the formats are.
std::size_t kvprintf(text_put put, void *arg, const char *fmt,
    std::va_list ap);

} // namespace stack9
