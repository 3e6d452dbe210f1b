// Owns a flag that poll(2) can wait for: a descriptor that can be read while
// the flag is raised.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstdint>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "unique_fd.h"

namespace stack9 {

// Async-signal-safe except open(); may change errno.
class event_flag {
public:
	// 0, or an errno.
	int
	open() noexcept
	{
		fd_ = unique_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
		return fd_ ? 0 : errno;
	}
	int get() const noexcept { return fd_.get(); }
	void step_aside() noexcept { fd_.step_aside(); }

	// 0: it is raised now, and it may have been before.
	int
	raise() const noexcept
	{
		const std::uint64_t one = 1;
		return write(get(), &one, sizeof one) == sizeof one ||
		    errno == EAGAIN ? 0 : errno;
	}
	// 0: it was raised, and is not any more; EAGAIN: it was not raised.
	int
	lower() const noexcept
	{
		std::uint64_t times;
		return read(get(), &times, sizeof times) == sizeof times ? 0 :
		    errno;
	}

private:
	unique_fd	fd_;
};

// Makes an epoll descriptor readable while fd is.  False: errno says why.
inline bool
add_to_epoll(int epoll, int fd) noexcept
{
	epoll_event e{};
	e.events = EPOLLIN;
	e.data.u64 = ~0ull;	// no value that a ring of libbpf's uses
	return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e) == 0;
}

} // namespace stack9
