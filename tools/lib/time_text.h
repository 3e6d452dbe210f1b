// Reads and writes moments as people do: 14:03, 2026-11-23 14:03:05, -10m.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace tools {

// From one moment to another, in nanoseconds of CLOCK_REALTIME.
struct interval {
	std::int64_t	from = std::numeric_limits<std::int64_t>::min();
	std::int64_t	to = std::numeric_limits<std::int64_t>::max();

	bool
	has(std::int64_t ns) const
	{
		return from <= ns && ns <= to;
	}
};

// Reads hours and minutes of today, or with a date, with or without seconds and
// their fractions; @ and seconds since 1970; - and so many seconds ago, with s,
// m, h or d; or words of journalctl(1): now, today, yesterday, "5 min ago".
// False: it is none of these.
bool read_moment(const std::string &, std::int64_t &ns);

// Checks the text of a value.  It returns "" or the error.
std::string moment_error(const std::string &);

// Reads a number of seconds, or of another unit: 90, 1.5, 90s, 10m, 12h, 7d.
// False: it is none of these.
bool read_seconds(const std::string &, double &seconds);

// Gives 2026-11-23 14:03:05.123, of this machine's time zone.
std::string moment_text(std::int64_t ns);

// Gives 1.2 s, 12 s, 3 min 4 s, 2 h 3 min or 4 d 5 h.
std::string duration_text(std::uint64_t ns);

} // namespace tools
