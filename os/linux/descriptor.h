// A file descriptor that is closed by whoever has it last.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <utility>

#include <unistd.h>

namespace stack9::spaces {

class descriptor {
public:
	explicit descriptor(int fd = -1) noexcept : fd_(fd) {}
	descriptor(descriptor &&from) noexcept
	    : fd_(std::exchange(from.fd_, -1)) {}
	descriptor &
	operator=(descriptor &&from) noexcept
	{
		std::swap(fd_, from.fd_);
		return *this;
	}
	~descriptor()
	{
		if (fd_ >= 0)
			close(fd_);
	}
	int get() const noexcept { return fd_; }
	int release() noexcept { return std::exchange(fd_, -1); }
	explicit operator bool() const noexcept { return fd_ >= 0; }

private:
	int	fd_;
};

} // namespace stack9::spaces
