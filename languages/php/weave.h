// Puts the frames of PHP into the native stack of their thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "frames.h"
#include "function.h"
#include "layout.h"
#include "native.h"

namespace stack9::languages::php {

class weave {
public:
	// globals: where zend_executor_globals are.
	weave(const question &q, const loaded &where, const places &p,
	    const layout &l, std::uint64_t globals, written_stack &to)
	    : q_(q), m_(q.words), where_(where), places_(p), l_(l),
	    globals_(globals), to_(to) {}

	void run();
	// Does so with the frames of an event, and their functions.  frames
	// has no address of a zend_execute_data.
	void run_reported(std::vector<frame> frames,
	    std::map<std::uint64_t, function> functions);

private:
	void put();
	const function &function_at(std::uint64_t at);
	std::string name_of(std::size_t n);
	bool has_all_loops();
	void skip_left();
	void add(std::size_t n);
	void add_internal(std::size_t n, const function &);
	void add_frameless(const frame &);
	void add_user(std::size_t n, const function &);
	void order(std::size_t first);
	std::uint32_t native_of(std::uint64_t handler);

	const question		&q_;
	unwind::memory		&m_;
	const loaded		&where_;
	const places		&places_;
	const layout		&l_;
	const std::uint64_t	globals_;
	written_stack		&to_;
	std::map<std::uint64_t, function> functions_;
	std::vector<frame>	frames_;
	// The calls of the loop, and how many of them have their frames.
	std::vector<loop_call>	loops_;
	std::size_t		done_ = 0;
	bool			is_beyond_ = false;	// on another stack
	bool			agrees_ = true;	// with the native stack
	bool			is_reported_ = false;	// of an event
};

} // namespace stack9::languages::php
