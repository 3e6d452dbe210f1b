// Says for which call of Python's own modules a thread waits: the functions of
// threading, queue and concurrent.futures that run innermost.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "objects.h"

namespace stack9::languages::python {

class calling {
public:
	// The last functions of the stack are those of these frames, innermost
	// first.
	calling(memory &, const layout &, types &,
	    const std::vector<std::uint64_t> &frames, const written_stack &);

	// It waits in Condition.wait() itself.
	bool waits_for_notice() const;
	// It waits in what Thread.join() calls up to 3.12.
	bool waits_for_thread() const;
	// Gives self of the innermost function; 0: it cannot be read.
	std::uint64_t self_of_innermost() const { return self_of(0); }

	// Gives the words for an object of a type: "threading.Lock",
	// "threading.Condition in queue.Queue.get".  A condition variable is
	// not in its own function.  Throws std::bad_alloc.
	std::string of(std::string_view type, bool is_condition);

private:
	std::string_view module_of(std::size_t) const;
	std::string_view function_of(std::size_t) const;
	std::string_view whole_name_of(std::size_t) const;
	std::uint64_t self_of(std::size_t) const;

	memory			&m_;
	const layout		&l_;
	types			&types_;
	const std::vector<std::uint64_t> &frames_;
	const written_stack	&in_;
	const std::size_t	first_;	// of the stack's functions
};

} // namespace stack9::languages::python
