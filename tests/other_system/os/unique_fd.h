// Owns one file descriptor.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <utility>

#include <unistd.h>

namespace stack9 {

class unique_fd {
public:
	unique_fd() noexcept = default;
	explicit unique_fd(int fd) noexcept : fd_(fd) {}
	unique_fd(unique_fd &&from) noexcept : fd_(from.release()) {}
	unique_fd &
	operator=(unique_fd &&from) noexcept
	{
		std::swap(fd_, from.fd_);
		return *this;
	}
	~unique_fd()
	{
		if (fd_ >= 0)
			close(fd_);
	}

	int get() const noexcept { return fd_; }
	explicit operator bool() const noexcept { return fd_ >= 0; }
	int release() noexcept { return std::exchange(fd_, -1); }

private:
	int	fd_ = -1;
};

} // namespace stack9
