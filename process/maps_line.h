// Declares the one parser of lines of /proc/TID/maps.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stack9::process {

// One line; path points into the text, and is as the kernel wrote it.
struct maps_line {
	std::uintptr_t	start = 0, end = 0;
	std::uint64_t	offset = 0, inode = 0;
	std::uint32_t	major = 0, minor = 0;
	bool		readable = false, writable = false, executable = false;
	bool		shared = false;
	std::string_view path;
};

// A line's fields before its path have fewer characters than this.
inline constexpr std::size_t maps_fields_max = 128;

// Parses a line, or its beginning if that has all fields before the path.
// False: it is not such a line.  Async-signal-safe, allocates nothing.
bool parse_maps_line(std::string_view, maps_line &) noexcept;

} // namespace stack9::process
