// Writes messages to stderr, and the progress line that is shown there while
// events are counted.
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
	// There is no progress line if stacks are printed to a terminal all the
	// time: it would come between them.
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

	// Says what an ordinary user may do who has been refused samples of a
	// process, or its time off the CPU.
	void	suggest_recorder(const options &);

	// True about twice a second, when the line should be written again.
	bool	due();
	void	progress(const std::string &);
	void	clear();

private:
	using clock = std::chrono::steady_clock;

	void	say(const std::string &);

	const char		*program_;
	const bool		shows_progress_;
	clock::time_point	next_{};
	std::size_t		width_ = 0;	// of the line on the terminal
};

} // namespace events
