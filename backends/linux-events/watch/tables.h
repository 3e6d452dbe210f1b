// Reads the tables in which the programs count.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "backends/linux-events/programs/event_record.h"
#include "backends/linux-events/programs/programs.h"

namespace stack9::events {

class table_visitor {
public:
	// key and value are as large as the table's.  Non-0 ends the reading.
	virtual int visit(const void *key, const void *value) = 0;

protected:
	~table_visitor() = default;
};

// Reads all elements of a hash table.  0; an errno; or what the visitor
// returned.
int read_table(programs &, map_id table, table_visitor &);

// Reads the tables of all sizes.
int read_stacks(programs &, table_visitor &);

// Reads the events of stacks that have a slot, those of all CPUs.
class repeated_events {
public:
	explicit repeated_events(const programs &from) noexcept
	    : from_(from) {}

	// 0, or an errno.  Throws std::bad_alloc.
	int read(std::uint64_t slot, std::uint64_t &events);

private:
	int read_part(std::uint32_t);

	const programs	&from_;
	// By parts.  Empty: it has not been read.
	std::vector<std::vector<std::uint64_t>> sums_;
	std::vector<s9_repeats> of_cpus_;
};

// Sums what the programs have counted.  It has its memory from the start, so
// that only the kernel may lack some when the counts are asked for.
class totals {
public:
	void begin(const programs &);	// which are loaded, and stay

	// Those of all CPUs; events is without those that were late.  0, or an
	// errno.
	int read(s9_totals &) noexcept;

	// True if no program is at an event any more, after the end of a watch.
	bool rest() noexcept;

private:
	int without_scratches(s9_totals &) noexcept;
	template <class F> int each_scratch(F) noexcept;

	const programs			*from_ = nullptr;
	std::vector<s9_totals>		of_cpus_;
	std::vector<std::uint64_t>	scratch_;	// one
	// The scratches that have been free since the end: a program that
	// claims one of them now sees that the watch is over.
	std::vector<bool>		free_;
};

} // namespace stack9::events
