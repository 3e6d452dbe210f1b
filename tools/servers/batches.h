// Cuts what a segment says into batches of a minute, or less if that were too
// much to be held and sent at once.  They are the same whoever reads the file
// and however often: a batch that is sent twice has the same rows.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/record/reader.h"

namespace servers {

// A thread did the same for so many ticks, from a tick on; or an event happened
// to it so often, since the tick before.
struct run {
	std::uint32_t	thread = 0;		// these are numbers in the
	std::uint32_t	kernel = 0, user = 0;	// segment
	char		state = '?';
	std::uint32_t	wait = 0, event = 0;	// likewise; 0: none
	std::int64_t	wall_ns = 0;
	std::uint64_t	weight = 0;	// ticks, events, or microseconds
	std::string	comm;
};

struct batch {
	std::uint64_t	minute = 0;		// of CLOCK_BOOTTIME
	std::uint32_t	part = 0;		// of the minute, from 0
	bool		ends_minute = false;	// it is the last part
	std::int64_t	first_ns = 0, last_ns = 0; // its ticks, CLOCK_REALTIME
	std::vector<run> runs;
};

class batches : public recording::visitor {
public:
	bool	begin(const recording::segment_info &) override;
	bool	at(const recording::segment &, const recording::tick &)
		    override;
	void	end(const recording::segment &, bool complete) override;

protected:
	// Gets each batch that has something.  whole: nothing will be added to
	// it by later ticks.  A result of false ends the reading.
	virtual bool	take(const recording::segment &, const batch &,
			    bool whole) = 0;

private:
	void	open(const recording::segment &, const recording::tick &,
		    std::uint32_t thread, const recording::thread_state &);
	void	add_events(const recording::segment &, const recording::tick &);
	void	open_all(const recording::segment &, const recording::tick &);
	bool	is_open(std::uint32_t thread) const;
	void	close(std::uint32_t thread);
	bool	finish(const recording::segment &, bool whole);

	batch			 now_;
	bool			 begun_ = false;
	std::uint64_t		 ticks_ = 0;	// of this batch
	std::int64_t		 tick_ns_ = 0;	// the last one
	bool			 goes_on_ = true;
	struct open_run {
		run		what;
		std::uint64_t	since = 0;	// tick of the batch
		bool		is_open = false;
	};
	std::vector<open_run>	 open_;		// by thread
};

} // namespace servers
