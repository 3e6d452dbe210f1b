// Follows threads from change to change: how long each did the same.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "frames.h"
#include "options.h"
#include "tools/profiles/profile.h"
#include "tools/record/reader.h"
#include "wanted.h"

namespace stackreport {

// Prints what each thread did, a line for each change: --history.
class history final : public recording::visitor {
public:
	explicit history(const options &o) : opt_(o), wanted_(o) {}

	bool	begin(const recording::segment_info &) override;
	bool	at(const recording::segment &, const recording::tick &)
		    override;

	const std::string &text() const { return text_; }

private:
	void	put(const recording::segment &, std::int64_t now,
		    std::uint32_t thread, const recording::thread_state &);

	const options	&opt_;
	wanted		 wanted_;
	std::string	 text_, boot_;
	// The since_ns of what was printed last, by tid and start: a segment
	// begins with what is known already.
	std::map<std::pair<pid_t, std::uint64_t>, std::uint64_t> reported_;
};

// Finds the longest times for which threads did not run: --longest.
class stuck final : public recording::visitor {
public:
	explicit stuck(const options &);

	bool	begin(const recording::segment_info &) override;
	bool	at(const recording::segment &, const recording::tick &)
		    override;
	void	end(const recording::segment &, bool complete) override;

	std::string text() const;

private:
	struct episode {
		std::uint64_t	ns = 0;
		std::int64_t	since = 0;	// CLOCK_REALTIME
		std::string	comm, name, wait;
		pid_t		pid = 0, tid = 0;
		char		state = '?';
		bool		goes_on = false;
		std::vector<std::uint32_t> frames;
	};
	// The boot, the thread and when it began.
	using key = std::tuple<std::string, pid_t, std::uint64_t,
	    std::uint64_t>;

	void	add(const recording::segment &, std::uint32_t thread,
		    std::uint64_t now, bool goes_on);
	void	forget_short_ones();

	options			 opt_;
	wanted			 wanted_;
	profiles::profile	 profile_;
	frames			 frames_;
	std::string		 boot_;
	std::map<key, episode>	 all_;
	std::uint64_t		 least_ = 0;	// that is worth keeping
	bool			 in_time_ = false;
};

} // namespace stackreport
