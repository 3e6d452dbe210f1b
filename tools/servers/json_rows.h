// Writes batches as lines of JSON, for databases that read files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdio>
#include <string>
#include <unordered_set>

#include "batches.h"
#include "tools/lib/time_text.h"

namespace servers {

// Has the columns of the tables of ClickHouse.  Times are UTC; names of stacks
// and boots are hexadecimal text.
class json_rows final : public batches {
public:
	// stacks: the table of stacks, each once; false: that of samples.
	json_rows(bool stacks, const tools::interval &when,
	    std::FILE *out)
	    : stacks_(stacks), when_(when), out_(out) {}

	std::uint64_t	lines() const { return lines_; }

protected:
	bool	take(const recording::segment &, const batch &, bool whole)
		    override;

private:
	void	put_sample(const recording::segment &, const run &);
	void	put_stack(const recording::segment &, const run &);
	void	put(const std::string &line);

	const bool		 stacks_;
	const tools::interval when_;
	std::FILE		*out_;
	std::unordered_set<std::string> seen_;	// ids of stacks
	std::uint64_t		 lines_ = 0;
};

} // namespace servers
