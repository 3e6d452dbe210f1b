// Owns one file descriptor and closes it at the end of its life.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace stack9 {

class unique_fd {
public:
	constexpr unique_fd() noexcept = default;
	constexpr explicit unique_fd(int fd) noexcept : fd_(fd) {}
	unique_fd(unique_fd &&from) noexcept : fd_(from.release()) {}
	unique_fd &
	operator=(unique_fd &&from) noexcept
	{
		if (this != &from) {
			reset();
			fd_ = from.release();
		}
		return *this;
	}
	~unique_fd() { reset(); }

	int get() const noexcept { return fd_; }
	explicit operator bool() const noexcept { return fd_ >= 0; }
	int release() noexcept { return std::exchange(fd_, -1); }
	void
	reset() noexcept
	{
		if (fd_ >= 0)
			close(fd_);
		fd_ = -1;
	}

	// Moves the descriptor to a high number, if one is free; errno is kept.
	// A daemon that closes all it has inherited and then opens files gives
	// them the low numbers, and its writes must not reach this descriptor.
	void
	step_aside() noexcept
	{
		constexpr int high = 512;
		const int kept = errno;
		unique_fd there(fcntl(fd_, F_DUPFD_CLOEXEC, high));
		if (there)
			*this = std::move(there);
		errno = kept;
	}

private:
	int	fd_ = -1;
};

} // namespace stack9
