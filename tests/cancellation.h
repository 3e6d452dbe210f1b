// Passes over the frames that the C library has of its own between a call that
// may be cancelled and the kernel.
//
// Since glibc 2.41 read(2) and its like enter the kernel in functions without a
// manual page, at most three deep, and without the innermost one of these while
// the process has one thread.  A test that asks for the innermost function
// means the one that the manual names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

// Innermost first, in the order of their calls.
inline constexpr std::string_view of_cancellation[] = {
	"__syscall_cancel_arch", "__internal_syscall_cancel",
	"__syscall_cancel"};

inline bool
is_of_cancellation(std::string_view function)
{
	return std::find(std::begin(of_cancellation),
	    std::end(of_cancellation), function) != std::end(of_cancellation);
}

// Names, innermost first.  In another place or another order they stay.
inline std::vector<std::string>
without_cancellation(std::vector<std::string> names)
{
	std::size_t n = 0;
	for (const std::string_view function : of_cancellation)
		n += n < names.size() && names[n] == function;
	names.erase(names.begin(), names.begin() +
	    static_cast<std::ptrdiff_t>(n));
	return names;
}

// The same of the text of stackprint, where a side begins with its name.
inline std::string
without_cancellation(const std::string &text)
{
	static const std::regex frames("  user    "
	    "(?:__syscall_cancel_arch\\+.*\n {10})?"
	    "(?:__internal_syscall_cancel\\+.*\n {10})?"
	    "(?:__syscall_cancel\\+.*\n {10})?");
	return std::regex_replace(text, frames, "  user    ");
}
