// Records tick by tick into the files of a ring.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "capture.h"
#include "cost.h"
#include "events.h"
#include "options.h"
#include "targets.h"
#include "tools/lib/clock.h"
#include "tools/lib/say.h"
#include "tools/record/writer.h"

namespace stackrecord {

inline constexpr std::uint64_t second = 1'000'000'000;

inline std::uint64_t
monotonic_ns()
{
	return tools::clock_ns(CLOCK_MONOTONIC);
}

template <typename... T>
void
say(fmt::format_string<T...> text, T &&...args)
{
	tools::say("stackrecord", fmt::format(text, std::forward<T>(args)...));
}

class recorder {
public:
	explicit recorder(const options &);

	int	open();
	int	go_on();
	void	close();

private:
	bool	watch();
	bool	find();
	int	tick(std::uint64_t now);
	int	finish(int status);
	void	store(const recording::tick &, std::uint64_t now);
	bool	wait(std::uint64_t &next);
	bool	wait_until(std::uint64_t next);
	void	expect(bool restart);
	void	describe(recording::segment_info &) const;
	void	show(std::uint64_t now);
	void	report_missing(std::uint64_t now);
	std::string	price() const;

	const options		&opt_;
	targets			 targets_;
	capture			 capture_;
	events			 events_;
	recording::tick		 tick_;		// to come
	bool			 restart_ = true;
	std::int64_t		 wall_minus_boot_ = 0;
	recording::ring		 ring_;
	recording::writer	 writer_;
	const cost		 cost_;
	const std::uint64_t	 period_, began_;
	const bool		 has_line_;
	std::uint64_t		 ticks_ = 0, threads_ = 0, last_cost_ = 0;
	std::uint64_t		 missed_ = 0, missed_before_ = 0;
	std::uint64_t		 retry_ = 0, shown_ = 0;
	std::string		 reported_missing_;
	std::uint64_t		 reported_without_ = 0, reported_at_ = 0;
	int			 store_error_ = 0, interrupted_ = -1;
};

} // namespace stackrecord
