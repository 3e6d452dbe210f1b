// Where text goes: stacks to stdout in whole blocks, messages to stderr, and
// never one inside the other.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

#include <fmt/format.h>

namespace stackprint {

class output {
public:
	output();
	~output();
	output(const output &) = delete;
	output &operator=(const output &) = delete;

	void block(std::string_view);

	template <typename... T>
	void
	message(fmt::format_string<T...> f, T &&...args)
	{
		say(fmt::format(f, std::forward<T>(args)...));
	}

	// Another thread is done; long passes show it where only stderr is a
	// terminal (where stdout is one too, the stacks themselves show it).
	void progress();

	// stdout took all of it so far.
	bool good() const;
	// Flush; 0, or the exit status of a stdout that failed.
	int finish();

private:
	void say(const std::string &);
	void clear();

	bool		shows_progress_;
	unsigned int	threads_ = 0;
	unsigned int	width_ = 0;	// of what stands on the terminal
};

} // namespace stackprint
