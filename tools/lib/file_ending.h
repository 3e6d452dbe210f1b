// Finds the format that a file shall have by the ending of its name.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>
#include <span>
#include <string>

namespace tools {

struct file_ending {
	const char	*ending, *format;
};

// Gives "text" if the name has none of the endings.
inline std::string
format_by_name(const std::string &file, std::span<const file_ending> all)
{
	for (const auto &[ending, format] : all)
		if (file.size() > std::strlen(ending) && file.ends_with(ending))
			return format;
	return "text";
}

} // namespace tools
