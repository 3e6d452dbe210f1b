// Appends formatted text to a buffer.  fmt's own format_to() is compiled into
// every file that calls it, at four seconds each; this one is in no file.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

#include <fmt/format.h>

namespace stackprint {

void append_args(fmt::memory_buffer &, fmt::string_view, fmt::format_args);

template <typename... T>
void
append(fmt::memory_buffer &out, fmt::format_string<T...> text, T &&...args)
{
	append_args(out, text, fmt::make_format_args(args...));
}

inline void
append_text(fmt::memory_buffer &out, std::string_view text)
{
	out.append(text.data(), text.data() + text.size());
}

} // namespace stackprint
