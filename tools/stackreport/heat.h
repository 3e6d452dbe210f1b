// Follows how many threads are in each stack from tick to tick, and makes the
// heat map of it: --heat-map.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "frames.h"
#include "options.h"
#include "tools/profiles/heat_page.h"
#include "tools/profiles/profile.h"
#include "tools/record/reader.h"
#include "wanted.h"

namespace stackreport {

class heat final : public recording::visitor {
public:
	explicit heat(const options &);

	bool	begin(const recording::segment_info &) override;
	bool	at(const recording::segment &, const recording::tick &)
		    override;

	// Gives the page; "" no sample passes.
	std::string	text();

private:
	struct change {
		std::uint32_t	tick, stack;
		std::uint64_t	weight;
	};

	std::uint32_t	number(std::uint32_t kernel, std::uint32_t user,
			    const std::string &comm);
	void	set(std::uint32_t stack, std::uint64_t weight);
	void	leave(std::uint32_t thread);
	void	enter(const recording::segment &, std::uint32_t thread,
		    const recording::thread_state &);
	void	follow(const recording::segment &, const recording::tick &);
	void	count(const recording::segment &, const recording::tick &);
	void	store();
	profiles::heat_map map() const;

	const options		&opt_;
	profiles::profile	 profile_;
	frames			 frames_;
	wanted			 wanted_;
	std::map<std::array<std::uint32_t, 3>, std::uint32_t> numbers_;
	std::map<std::string, std::uint32_t> comms_;
	std::vector<std::uint32_t> of_thread_;	// its stack + 1
	std::vector<std::uint64_t> now_, stored_;	// weights, by stack
	std::vector<std::uint32_t> touched_;	// of which these may differ
	std::vector<std::int64_t> ticks_;	// CLOCK_REALTIME
	std::vector<change>	 changes_;
};

} // namespace stackreport
