// Stores ticks in the files of a ring, and tries a disk that is full again.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "options.h"
#include "tools/record/writer.h"

namespace stackrecord {

class storage {
public:
	explicit storage(const options &);

	// Says what is wrong and returns false.
	bool	open();
	// True if the next try is later than now, by the monotonic clock.
	bool	is_paused(std::uint64_t now) const { return now < retry_; }
	void	begin(recording::segment_info &info);
	void	put(const recording::tick &, std::uint64_t now);
	void	end() { writer_.end(); }

	// So many ticks were left out.
	void	miss(std::uint64_t ticks) { missed_ += ticks; }
	// True if a tick at that time would be in the same segment.
	bool
	goes_on(std::uint64_t boot_ns) const
	{
		return writer_.goes_on(boot_ns);
	}
	bool	has_failed() const { return error_ != 0; }
	std::uint64_t	missed() const { return missed_; }
	std::uint64_t	bytes() const { return writer_.bytes(); }
	std::uint64_t	segments() const { return writer_.segments(); }

private:
	std::uint64_t	missed_lately() const { return missed_ - stored_; }

	const std::string	&dir_;
	recording::ring		 ring_;
	recording::writer	 writer_;
	std::uint64_t		 missed_ = 0;
	std::uint64_t		 stored_ = 0;	// missed_, at the last tick
	std::uint64_t		 retry_ = 0;
	int			 error_ = 0;
};

} // namespace stackrecord
