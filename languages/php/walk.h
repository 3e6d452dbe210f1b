// Walks the frames of a thread that runs PHP.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "function.h"
#include "layout.h"

namespace stack9::languages::php {

class walk {
public:
	// globals: where zend_executor_globals are.
	walk(const question &q, const loaded &where, const places &p,
	    const layout &l, std::uint64_t globals, written_stack &to)
	    : q_(q), m_(q.words), where_(where), places_(p), l_(l),
	    globals_(globals), to_(to) {}

	void run();

private:
	struct frame {
		std::uint64_t	at, opline, function, previous;
		std::uint64_t	object;		// This
		std::uint32_t	type;
	};

	bool read(std::uint64_t at, frame &);
	void find_loops();
	void go_along(std::uint64_t at);
	void add_waiting(const frame &);
	void add(const frame &);
	void add_internal(const frame &, const function &);
	void add_written(const frame &, const function &);
	void put(const frame &, const function &, std::uint32_t at);
	std::string name_of(const frame &, const function &);
	std::uint32_t native_of(std::uint64_t handler);
	const function &function_at(std::uint64_t at);

	const question		&q_;
	unwind::memory		&m_;
	const loaded		&where_;
	const places		&places_;
	const layout		&l_;
	const std::uint64_t	globals_;
	written_stack		&to_;
	std::map<std::uint64_t, function> functions_;
	// The native frames that run the loop, innermost first, and how many of
	// them have their frames.
	std::vector<std::uint32_t> loops_;
	std::size_t		done_ = 0;
	bool			is_beyond_ = false;	// on another stack
	bool			agrees_ = true;	// with the native stack
};

} // namespace stack9::languages::php
