// stderr: messages, and the one line that comes and goes while events are
// counted.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <string>

#include <fmt/format.h>

#include "options.h"

namespace events {

class screen {
public:
	// The line would get between the stacks where these are on a terminal
	// all the time.
	screen(const options &, bool stacks_come_all_the_time);
	~screen();
	screen(const screen &) = delete;
	screen &operator=(const screen &) = delete;

	template <typename... T>
	void
	message(fmt::format_string<T...> f, T &&...args)
	{
		say(fmt::format(f, std::forward<T>(args)...));
	}

	// Is it time for another line?  About twice a second.
	bool	due();
	void	progress(const std::string &);
	void	clear();

private:
	using clock = std::chrono::steady_clock;

	void	say(const std::string &);

	const char		*program_;
	const bool		shows_progress_;
	clock::time_point	next_{};
	std::size_t		width_ = 0;	// of what stands there
};

} // namespace events
