// Declares the sending of messages over a socket, with a descriptor or without.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

#include "os/unique_fd.h"

#include "message.h"

namespace stack9::sandbox {

// The longest message from a reader, whose names and lines are far shorter.
inline constexpr std::size_t answer_max = 16 << 20;
// The longest message to it; the largest copies of stacks have 2 GiB.
inline constexpr std::size_t question_max = UINT32_MAX;

class channel {
public:
	explicit channel(unique_fd socket) noexcept
	    : socket_(std::move(socket)) {}

	int fd() const noexcept { return socket_.get(); }
	// All waits for the other side together may take so many nanoseconds
	// from now on; each further one fails.
	void limit(std::uint64_t ns) noexcept;
	bool is_over() const noexcept { return left_ns_ <= 0; }
	// The other side is this child of the process.  A wait ends when the
	// child was stopped, by whom ever: it would last for the whole limit.
	void watch(pid_t child) noexcept { child_ = child; }
	bool is_stopped() const noexcept { return is_stopped_; }
	void give_up_on_stopped() noexcept { is_stopped_ = true; }
	// False: the other side is gone.
	bool send(message &, int fd = -1) noexcept;
	// Waits for a message.  False: the other side is gone, or it says that
	// it sends more than `most` bytes, or there is no memory for them.
	bool receive(message &, unique_fd &, std::size_t most) noexcept;
	// Bytes between two messages.  Both sides know about them.
	bool send_bytes(const void *from, std::size_t size) noexcept;
	bool receive_bytes(void *to, std::size_t size) noexcept
	    { return receive_bytes(to, size, nullptr); }
	void close() noexcept { socket_.reset(); }
	unique_fd take() noexcept { return std::move(socket_); }

private:
	bool receive_bytes(void *to, std::size_t size, unique_fd *) noexcept;
	bool goes_on(std::int64_t since) noexcept;

	unique_fd	socket_;
	pid_t		child_ = 0;
	bool		is_stopped_ = false;
	std::uint64_t	limit_ns_ = 0;
	std::int64_t	left_ns_ = INT64_MAX;
};

} // namespace stack9::sandbox
