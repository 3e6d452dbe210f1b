// Escapes bytes, names states and knows the functions of the scheduler.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

namespace stackprint {

std::string
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

const char *
state_word(char state)
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

bool
is_scheduler(std::string_view function)
{
	for (const std::string_view prefix : {"schedule", "__schedule",
		 "io_schedule", "preempt_schedule", "__switch_to"})
		if (function.substr(0, prefix.size()) == prefix)
			return true;
	return false;
}

} // namespace stackprint
