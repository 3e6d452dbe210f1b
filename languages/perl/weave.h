// Puts the frames of Perl into the native stack of their thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "contexts.h"
#include "layout.h"
#include "names.h"

namespace stack9::languages::perl {

class weave {
public:
	weave(const question &q, const loaded &where, const places &p,
	    const layout &l, written_stack &to)
	    : q_(q), m_(q.words), where_(where), places_(p), l_(l), to_(to) {}

	void run();
	// Does so with the contexts that an event has reported, and the place
	// of the current statement.
	void run_reported(std::vector<context>, line_of_file, bool is_whole);
	// True if the thread is in the loop.
	bool has_loops();

private:
	bool find_interpreter(interpreter &);
	void find_loops();
	void find_jumps();
	bool ends_loop(std::size_t n);
	void add(const std::string &name);
	std::string name_of(const context &);
	const line_of_file &place_of_call(const context &);
	void put(bool is_whole);

	const question		&q_;
	unwind::memory		&m_;
	const loaded		&where_;
	const places		&places_;
	const layout		&l_;
	written_stack		&to_;
	std::map<std::uint64_t, std::string> names_;
	std::map<std::uint64_t, line_of_file> places_of_;
	std::vector<context>	contexts_;
	// The outermost eval of each JMPENV.
	std::map<std::uint64_t, std::size_t> outermost_;
	// The JMPENV that were there when call_sv() made an eval.
	std::set<std::uint64_t>	before_call_;
	// The native frames of the loop, and how many of them have their
	// frames.
	std::vector<std::uint32_t> loops_;
	std::size_t		done_ = 0;
	line_of_file		place_;		// where the next frame is
	bool			is_reported_ = false;
};

} // namespace stack9::languages::perl
