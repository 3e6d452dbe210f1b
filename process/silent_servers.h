// Remembers the servers of files, NFS's or FUSE's, that did not answer, and
// says how long the next one may take.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "budgets/budgets.h"
#include "budgets/minute.h"

namespace stack9::process {

// All times are nanoseconds of one clock that never goes back.
class silent_servers {
public:
	constexpr silent_servers() noexcept = default;

	bool
	has(std::uint64_t server, std::int64_t now) const noexcept
	{
		for (const entry &e : all_)
			if (e.server == server && e.until > now)
				return true;
		return false;
	}

	// It was asked at one time, and given up at the other.
	void
	add(std::uint64_t server, std::int64_t asked, std::int64_t now) noexcept
	{
		all_[next_++ % all_.size()] = {server, now + silence_ns};
		lost_.take(now, static_cast<std::uint64_t>(now - asked));
	}

	std::uint64_t
	patience(std::int64_t now) const noexcept
	{
		return budgets::of(lost_.is_over(now) ?
		    budgets::server_short_ns : budgets::server_ns);
	}

private:
	static constexpr std::int64_t silence_ns = 60'000'000'000;

	struct entry {
		std::uint64_t	server;
		std::int64_t	until;
	};

	std::array<entry, 32>	all_{};
	std::size_t		next_ = 0;
	budgets::minute		lost_{budgets::servers_ns_a_minute};
};

} // namespace stack9::process
