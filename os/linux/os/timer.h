// Owns a timer that poll(2) can wait for: a descriptor that can be read once
// the time has come.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstdint>

#include <sys/timerfd.h>
#include <unistd.h>

#include "unique_fd.h"

namespace stack9 {

class timer {
public:
	// 0, or an errno.
	int
	open() noexcept
	{
		fd_ = unique_fd(timerfd_create(CLOCK_MONOTONIC,
		    TFD_CLOEXEC | TFD_NONBLOCK));
		return fd_ ? 0 : errno;
	}
	int get() const noexcept { return fd_.get(); }

	// The time comes in so many nanoseconds, and then again each time that
	// as many as `again` have passed.  0: never.  Both are below 1 s.
	void
	set(long first_ns, long again_ns) const noexcept
	{
		itimerspec t{};
		t.it_value.tv_nsec = first_ns;
		t.it_interval.tv_nsec = again_ns;
		timerfd_settime(get(), 0, &t, nullptr);
	}
	// The descriptor cannot be read until the time comes again.
	void
	take() const noexcept
	{
		std::uint64_t times;
		[[maybe_unused]] const ssize_t n = read(get(), &times,
		    sizeof times);
	}

private:
	unique_fd	fd_;
};

} // namespace stack9
