// Holds the routes of every job, sorted by rank.  The table is built once, when
// the library is loaded, and never changes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <utility>

#include "core/seam/backend.h"

namespace stack9 {

inline constexpr unsigned int most_routes_of_a_job = 8;
inline constexpr unsigned int most_routes = 64;	// one bit of a mask for each

// The routes of one job.
template <class Route>
struct job_row {
	std::array<Route *, most_routes_of_a_job> of{};
	unsigned int	count = 0;
	unsigned int	first_bit = 0;	// of the mask of allowed routes

	std::uint64_t
	bit(unsigned int i) const noexcept
	{
		return std::uint64_t{1} << (first_bit + i);
	}

	// False: the row is full.
	bool
	add(Route *r) noexcept
	{
		if (count == of.size())
			return false;
		unsigned int i = count++;
		for (; i > 0 && of[i - 1]->rank > r->rank; i--)
			of[i] = of[i - 1];
		of[i] = r;
		return true;
	}
};

class route_table {
public:
	// Adds the routes of a backend.  NULL; or a sentence, if there are more
	// routes than the table holds.
	const char *add(const backend &) noexcept;

	template <job J>
	const job_row<interface_of<J>> &
	row() const noexcept
	{
		return std::get<static_cast<std::size_t>(J)>(rows_);
	}

	// f(job_number, row) for each job, until it returns other than 0.
	template <class F>
	int
	each_row(F f) const
	{
		return std::apply([&](const auto &...row) {
			int stop = 0;
			std::size_t j = 0;
			static_cast<void>(((stop = f(j++, row),
			    stop == 0) && ...));
			return stop;
		}, rows_);
	}

private:
	template <std::size_t... J>
	static auto rows_of(std::index_sequence<J...>)
	    -> std::tuple<job_row<interface_of<static_cast<job>(J)>>...>;

	decltype(rows_of(std::make_index_sequence<job_count>{})) rows_{};
};

// The table of all backends that are linked, and of the core's own routes.
// Async-signal-safe after the library was loaded.
const route_table &all_routes() noexcept;

// The core's own routes.
name_route &table_route() noexcept;	// names.cc
sibling_route &sibling_copy_route() noexcept;	// sibling.cc
async_route &retry_route() noexcept;	// async_retry.cc

} // namespace stack9
