// Writes text for people: formats it into buffers, and gives the programs the
// words of text/, by which the library prints, too.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <charconv>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "text/people.h"

namespace tools {

using stack9::text::amount;
using stack9::text::is_in_directory;
using stack9::text::is_scheduler;
using stack9::text::printable;
using stack9::text::state_word;
using stack9::text::thread_names;

inline void
append_text(fmt::memory_buffer &out, std::string_view text)
{
	out.append(text.data(), text.data() + text.size());
}

// fmt's own format_to() is compiled into every file that calls it, at four
// seconds each; vformat() is in its library.
inline void
append_args(fmt::memory_buffer &out, fmt::string_view text,
    fmt::format_args args)
{
	append_text(out, fmt::vformat(text, args));
}

template <typename... T>
void
append(fmt::memory_buffer &out, fmt::format_string<T...> text, T &&...args)
{
	append_args(out, text, fmt::make_format_args(args...));
}

// Writes numbers with commas between them.  fmt::join() would need parts of fmt
// that fmt_archive.cc does not compile.
template <typename T>
void
append_numbers(fmt::memory_buffer &out, const std::vector<T> &numbers)
{
	char digits[24];
	std::string_view comma;
	for (const T number : numbers) {
		append_text(out, comma);
		append_text(out, {digits,
		    std::to_chars(digits, std::end(digits), number).ptr});
		comma = ",";
	}
}

} // namespace tools
