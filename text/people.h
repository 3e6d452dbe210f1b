// Makes text that people read: escaped bytes, amounts, words for states, and
// which functions say nothing new.  The library and the programs print by it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stack9::text {

// Printable ASCII stays, a backslash is doubled, and any other byte becomes
// \ooo: the name of a thread or a module must neither control the terminal nor
// break the line.  UTF-8 is escaped too, because it is not known whether the
// terminal reads it as such: in Latin-1 the bytes 0x80 to 0x9f are controls.
inline std::string
printable(std::string_view raw)
{
	std::string out;
	out.reserve(raw.size());
	for (const char c : raw) {
		const auto u = static_cast<unsigned char>(c);
		if (c == '\\') {
			out += "\\\\";
		} else if (u >= 0x20 && u < 0x7f) {
			out += c;
		} else {
			out += '\\';
			out += static_cast<char>('0' + (u >> 6));
			out += static_cast<char>('0' + (u >> 3 & 7));
			out += static_cast<char>('0' + (u & 7));
		}
	}
	return out;
}

// Returns true if a path is that of a file in a directory.  Memory that never
// was one is called deleted, too.
inline bool
is_in_directory(std::string_view path) noexcept
{
	return path.starts_with('/') && !path.starts_with("/memfd:") &&
	    !path.starts_with("/SYSV") && !path.starts_with("/dev/") &&
	    !path.starts_with("/anon_hugepage");
}

// Gives the name that the kernel has for a thread, and after it, in quotes, the
// one that a language's runtime has, unless it is the same.  own: it, "" or
// NULL.
inline std::string
thread_names(std::string_view comm, const char *own)
{
	std::string text = printable(comm);
	if (own != nullptr && *own != '\0' && comm != own)
		text += " \"" + printable(own) + '"';
	return text;
}

// Gives "1 event" or "1234 events".
inline std::string
amount(std::uint64_t n, const char *what)
{
	return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

// Gives the word for a state letter of /proc/TID/stat.
inline const char *
state_word(char state) noexcept
{
	switch (state) {
	case 'R':
		return "running";
	case 'S':
		return "sleeping";
	case 'D':
		return "disk sleep";
	case 'I':
		return "idle";
	case 'T':
		return "stopped";
	case 't':
		return "traced";
	case 'P':
		return "parked";
	case 'Z':
		return "zombie";
	case 'X':
		return "dead";
	}
	return "state unknown";
}

// True for schedule() and its like.  Every sleeper is in one of them, so they
// say nothing new.
inline bool
is_scheduler(std::string_view function) noexcept
{
	for (const std::string_view prefix : {"schedule", "__schedule",
		 "io_schedule", "preempt_schedule", "__switch_to"})
		if (function.substr(0, prefix.size()) == prefix)
			return true;
	return false;
}

} // namespace stack9::text
