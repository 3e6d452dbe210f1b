// Says what the recorder does: a line on a terminal while it runs, what is
// missing, and a summary at its end.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "capture.h"
#include "cost.h"
#include "events.h"
#include "storage.h"

namespace stackrecord {

class progress {
public:
	explicit progress(bool quiet);

	void	count(std::size_t threads);
	// CPU time since the last call.
	std::uint64_t	take_cost();
	// now: monotonic.
	void	show(std::uint64_t now, const capture &, const storage &);
	void	report_missing(std::uint64_t now, const capture &);
	void	sum_up(const capture &, const events &, const storage &) const;

	std::uint64_t	ticks() const { return ticks_; }
	std::uint64_t	began() const { return began_; }

private:
	std::string	price() const;

	const cost		 cost_;
	const std::uint64_t	 began_;
	const bool		 is_quiet_, has_line_;
	std::uint64_t		 ticks_ = 0, threads_ = 0, last_cost_ = 0;
	std::uint64_t		 shown_ = 0;
	std::string		 reported_missing_;
	std::uint64_t		 reported_without_ = 0, reported_at_ = 0;
};

} // namespace stackrecord
