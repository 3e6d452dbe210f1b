// Where stacks go: stdout or a file, in large blocks.  Not stdout by another
// name: a command that is run has the true one.
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
	// "": stdout.
	explicit destination(std::string file);
	~destination();
	destination(const destination &) = delete;
	destination &operator=(const destination &) = delete;

	bool	is_terminal() const;
	void	put(std::string_view);
	void	flush();
	// Text to be put is added here, and full() called after it.
	fmt::memory_buffer &buffer() { return buffer_; }
	void
	full()
	{
		if (buffer_.size() >= block)
			flush();
	}

	bool	pending() const { return buffer_.size() != 0; }
	// It took all of it so far.
	bool	good() const { return error_ == 0; }
	// "" if it is good, or if who closed the pipe knows.
	std::string	complaint() const;

private:
	static constexpr std::size_t block = 1 << 17;

	const std::string	file_;
	int			fd_ = 1;
	int			error_ = 0;
	fmt::memory_buffer	buffer_;
};

// Whether all has been written so far; if not, says what is wrong.
bool is_good(const destination &, screen &);

} // namespace events
