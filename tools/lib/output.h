// Writes stacks to stdout in whole blocks and messages to stderr, and keeps
// either from appearing inside the other.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

#include <fmt/format.h>

#include "terminal_text.h"

namespace tools {

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

	// Called when another thread is done.  A long pass shows its progress
	// if stderr is a terminal and stdout is not; a terminal on stdout shows
	// the stacks themselves.
	void progress();

	// True while stdout has taken everything.
	bool good() const;
	// Flushes stdout.  Returns 0, or the exit status for a stdout that
	// failed.
	int finish();

private:
	void say(const std::string &);
	void clear();

	const screens::terminal_text stdout_{1};
	bool		shows_progress_;
	unsigned int	threads_ = 0;
	unsigned int	width_ = 0;	// of the line on the terminal
};

} // namespace tools
