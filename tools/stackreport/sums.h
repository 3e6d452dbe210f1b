// Adds up how many samples each stack has in an interval.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "frames.h"
#include "options.h"
#include "tools/profiles/profile.h"
#include "tools/record/reader.h"
#include "wanted.h"

namespace stackreport {

class sums final : public recording::visitor {
public:
	sums(const options &, const interval &);

	bool	begin(const recording::segment_info &) override;
	bool	at(const recording::segment &, const recording::tick &)
		    override;
	void	end(const recording::segment &, bool complete) override;

	// Gives what was added up, the least first.
	profiles::profile &finish();

	// The ticks of the interval, and the threads in them.
	std::uint64_t	ticks() const { return all_ticks_; }

private:
	struct key {
		std::uint32_t	kernel, user, comm;
		bool operator==(const key &) const = default;
	};
	struct hash {
		std::size_t operator()(const key &) const;
	};

	void	add(const recording::segment &, std::uint32_t thread);
	std::uint32_t	comm_of(const recording::segment &, std::uint32_t);

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
	std::unordered_map<key, std::uint64_t, hash> segment_;
	std::uint64_t		 all_ticks_ = 0;
	std::int64_t		 first_ = 0, last_ = 0;
	std::unordered_map<std::string, std::uint32_t> comm_numbers_;
	std::vector<std::string> comm_names_;
	std::map<std::vector<std::uint32_t>, std::uint64_t> all_;
};

} // namespace stackreport
