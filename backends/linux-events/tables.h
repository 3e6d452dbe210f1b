// The kernel's tables, read.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "event_record.h"
#include "programs.h"

namespace stack9::events {

class table_taker {
public:
	// As large as the table's.
	virtual int take(const void *key, const void *value) = 0;

protected:
	~table_taker() = default;
};

// All elements of a hash table.  0; an errno; or what
// the taker returned, which ends it.
int read_table(programs &, const char *table, table_taker &);

// Those of all sizes.
int read_stacks(programs &, table_taker &);

// What all CPUs have seen; events without those that were late.
s9_totals read_totals(const programs &) noexcept;

// Whether no program is at an event, once they have been told that it is over.
class ending {
public:
	bool reached(const programs &) noexcept;

private:
	// Scratches that have been free since: who claims one of them now is
	// told.
	std::vector<bool>	free_;
};

} // namespace stack9::events
