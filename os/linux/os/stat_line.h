// Parses one line of /proc/TID/stat; nothing else does.  Inline, allocates
// nothing, async-signal-safe.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

#include "thread_stat.h"

namespace stack9 {

// The n-th word of text, from 0; empty if there are fewer.
inline std::string_view
word(std::string_view text, int n) noexcept
{
	for (; n > 0; n--) {
		const auto blank = text.find(' ');
		if (blank == text.npos)
			return {};
		text.remove_prefix(blank + 1);
	}
	return text.substr(0, text.find_first_of(" \n"));
}

template <class T> bool
number(std::string_view text, T &out) noexcept
{
	return std::from_chars(text.data(), text.data() + text.size(),
	    out).ec == std::errc();
}

// Parses "TID (COMM) STATE ...", proc_pid_stat(5).  False: this is not such a
// line, and out is untouched.  comm may hold any byte; the fields after it hold
// no ')'.
inline bool
parse_stat(std::string_view line, thread_stat &out) noexcept
{
	const auto first = line.find('('), last = line.rfind(')');
	if (first == line.npos || last == line.npos || last < first ||
	    last + 2 >= line.size())
		return false;
	// substr() would need libstdc++.  Not all have it that include this.
	std::string_view rest = line, comm = line.substr(0, last);
	rest.remove_prefix(last + 2);		// field 3 on
	comm.remove_prefix(first + 1);
	thread_stat read{};
	read.state = rest[0];
	if (!number(word(rest, 20 - 3), read.threads) ||
	    !number(word(rest, 22 - 3), read.start))
		return false;
	if (!number(word(rest, 39 - 3), read.cpu))
		read.cpu = -1;
	copy_name(read.comm, comm);
	out = read;
	return true;
}

} // namespace stack9
