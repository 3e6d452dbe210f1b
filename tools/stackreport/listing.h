// Prints a line for each segment: --segments.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "options.h"
#include "tools/record/reader.h"

namespace stackreport {

class listing final : public recording::visitor {
public:
	explicit listing(const options &o) : when_(o.when) {}

	bool	begin(const recording::segment_info &) override;
	bool	at(const recording::segment &, const recording::tick &)
		    override;
	void	end(const recording::segment &, bool complete) override;

	const std::string &text() const { return text_; }

private:
	const interval	 when_;
	std::uint64_t	 ticks_ = 0, cost_ = 0, lost_ = 0;
	std::int64_t	 first_ = 0, last_ = 0;
	std::string	 text_;
};

} // namespace stackreport
