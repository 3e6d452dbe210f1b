// Puts the calls of Lua into the native stack of their thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frames.h"
#include "names.h"

namespace stack9::languages::lua {

// A call as it is shown.
struct shown_call {
	std::uint64_t	function = 0;	// the address of one of C
	bool		is_lua = false, ends_share = false;
	bool		is_known = true;	// false: its function is gone
	std::string	name, file;
	std::uint32_t	line = 0;
};

// The calls of a state, innermost first.
using shown_state = std::vector<shown_call>;

class weave {
public:
	weave(const question &q, const loaded &where, const places &p,
	    const layout &l, written_stack &to)
	    : q_(q), where_(where), places_(p), l_(l), to_(to) {}

	// Throws std::bad_alloc, as all here.
	void run();
	// Does so with the states that an event has reported.
	void run_reported(const std::vector<shown_state> &);
	// True if the thread is in the loop.
	bool has_loops();

private:
	// A native frame in the runtime's file.
	struct native_frame {
		std::uint32_t	at;
		std::uint64_t	function;	// its address
		bool		is_loop, is_resume;
	};

	void find_native();
	std::vector<std::uint32_t> resumes() const;
	shown_state shown(names &, const state &);
	void place(const std::vector<shown_state> &);
	// is_main: no call of lua_resume() has run it.
	void place_state(const shown_state &, std::uint32_t end, bool is_main);
	void add(const shown_call &, std::uint32_t at, std::uint32_t flags);
	std::uint32_t index_of(const shown_call &, std::uint32_t end) const;

	const question		&q_;
	const loaded		&where_;
	const places		&places_;
	const layout		&l_;
	written_stack		&to_;
	std::vector<native_frame> native_;
	std::size_t		next_ = 0;	// of the native frames
	bool			agrees_ = true;
};

} // namespace stack9::languages::lua
