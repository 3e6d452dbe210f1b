// Turns batches into rows of ClickHouse.  A row is named by its machine, thread
// and time, and a row that comes again replaces the one that is there: a batch
// that is sent twice counts once.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "address.h"
#include "batches.h"
#include "requests.h"

namespace servers {

// The tables, as statements of SQL.  cluster: its name in the configuration of
// all servers, or "" for one server.
std::string clickhouse_schema(const std::string &cluster);

class clickhouse {
public:
	explicit clickhouse(const address &a) : to_(a) {}

	// Gives the stacks that the server does not have yet, and then the
	// samples.
	std::vector<request>	requests_of(const recording::segment &,
				    const batch &);
	// The server has taken the requests that were made last.
	void	taken();
	std::uint64_t	rows() const { return rows_; }
	std::uint64_t	stacks() const { return stacks_; }

private:
	request	insert(const char *columns, const std::string &rows) const;

	const address	to_;
	std::unordered_set<std::string> sent_, fresh_;	// ids of stacks
	std::uint64_t	rows_ = 0, stacks_ = 0;
};

} // namespace servers
