// Counts how often a reader is started, and remembers whose files crash it.
//
// A program of anybody's may be made to crash each reader.  It gets one, and
// then no other for some time; those who make many such programs cost as many
// readers as there may be.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <sys/types.h>

namespace stack9::sandbox {

class starts {
public:
	static constexpr std::uint64_t minute = 60'000'000'000,
	    avoided_for = 10 * minute;
	static constexpr unsigned int most = 8;
	static constexpr std::size_t most_avoided = 64;

	// Returns true if another one may be started, and counts it: so many at
	// once, and one in a minute later.
	bool
	take(std::uint64_t now_ns) noexcept
	{
		const std::uint64_t more = (now_ns - since_) / minute;
		if (more >= most - left_) {
			left_ = most;
			since_ = now_ns;
		} else {
			left_ += static_cast<unsigned int>(more);
			since_ += more * minute;
		}
		if (left_ == 0)
			return false;
		left_--;
		return true;
	}
	void
	avoid(pid_t pid, std::uint64_t now_ns) noexcept
	{
		if (pid > 0)
			avoided_[next_++ % most_avoided] = {pid,
			    now_ns + avoided_for};
	}
	bool
	avoids(pid_t pid, std::uint64_t now_ns) const noexcept
	{
		return next_ != 0 && std::any_of(avoided_.begin(),
		    avoided_.end(), [&](const avoided &a) {
			return a.pid == pid && a.until > now_ns;
		});
	}

private:
	struct avoided {
		pid_t		pid = 0;
		std::uint64_t	until = 0;
	};

	std::uint64_t	since_ = 0;
	unsigned int	left_ = most;
	std::size_t	next_ = 0;
	std::array<avoided, most_avoided> avoided_{};
};

} // namespace stack9::sandbox
