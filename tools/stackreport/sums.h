// Adds up how many samples each stack has in an interval.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "counts.h"
#include "frames.h"
#include "options.h"
#include "tools/profiles/profile.h"
#include "tools/record/reader.h"
#include "wanted.h"

namespace stackreport {

struct totals {
	std::uint64_t	ticks = 0;	// of the interval
	std::uint64_t	weight = 0, stacks = 0;
};

class sums final : public recording::visitor {
public:
	sums(const options &, const interval &);

	bool	begin(const recording::segment_info &) override;
	bool	at(const recording::segment &, const recording::tick &)
		    override;
	void	end(const recording::segment &, bool complete) override;

	// Gives the stacks that weigh most, the least of them first; 0: all.
	profiles::profile &finish(std::uint64_t most = 0);

	// The sums of everything, once it has been finished.
	const totals	&all() const { return all_; }

private:
	void	add(const recording::segment &, std::uint32_t thread);
	std::uint32_t	comm_of(const recording::segment &, std::uint32_t);
	void	add(const recording::segment &,
		    const recording::event_count &);
	void	put(const counted &);
	void	put_rest(const std::vector<counted> &, std::size_t);

	const options		&opt_;
	const interval		 when_;
	profiles::profile	 profile_;
	frames			 frames_;
	wanted			 wanted_;
	// This segment has so many ticks of the interval so far, and each
	// thread is added up to one of them.
	std::uint64_t		 ticks_ = 0;
	std::vector<std::uint64_t> added_;
	std::vector<std::uint32_t> comms_;	// of threads, + 1
	totals			 all_;
	std::uint64_t		 lost_ = 0;	// events
	std::int64_t		 first_ = 0, last_ = 0;
	std::unordered_map<std::string, std::uint32_t> comm_numbers_;
	std::vector<std::string> comm_names_;
	counts			 counts_;
};

} // namespace stackreport
