// Writes stacks to stdout or a file in large blocks.  It keeps a descriptor of
// its own, because a command that is run gets the true stdout.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace events {

class screen;

class destination {
public:
	// "" stands for stdout.  A file keeps what it has until begin().
	explicit destination(std::string file);
	~destination();
	destination(const destination &) = delete;
	destination &operator=(const destination &) = delete;

	void	begin();
	bool	is_terminal() const;
	void	put(std::string_view);
	void	flush();
	// Text to be written is added to this buffer, and full() is called
	// afterwards.
	fmt::memory_buffer &buffer() { return buffer_; }
	void
	full()
	{
		if (buffer_.size() >= block)
			flush();
	}

	bool	pending() const { return buffer_.size() != 0; }
	// True while all of the text has been taken.
	bool	good() const { return error_ == 0; }
	// Gives the error, or "" if there is none or the reader closed the
	// pipe.
	std::string	complaint() const;

private:
	static constexpr std::size_t block = 1 << 17;

	const std::string	file_;
	int			fd_ = 1;
	int			error_ = 0;
	fmt::memory_buffer	buffer_;
};

// True if all has been written so far; otherwise it prints the error.
bool is_good(const destination &, screen &);

} // namespace events
