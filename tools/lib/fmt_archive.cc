// Compiles fmt::vformat() for a program that does without fmt's shared library.
// Debian has no archive of it, but its headers can be the whole library.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef FMT_HEADER_ONLY
#define	FMT_HEADER_ONLY
#endif
#include <fmt/format.h>

namespace {

// All text of the programs goes through this function.  It is inline here, so a
// compiler writes it only if somebody takes it.
[[gnu::used]] std::string (*const in_this_program)(fmt::string_view,
    fmt::format_args) = fmt::vformat;

} // namespace
