// Puts the calls of Lua into the native stack of their thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "frames.h"
#include "names.h"

namespace stack9::languages::lua {

class weave {
public:
	weave(const question &q, const loaded &where, const places &p,
	    const layout &l, written_stack &to)
	    : q_(q), where_(where), places_(p), l_(l), to_(to),
	      names_(q.words, l) {}

	// Throws std::bad_alloc.
	void run();

private:
	// A native frame in the runtime's file.
	struct native_frame {
		std::uint32_t	at;
		std::uint64_t	function;	// its address
		bool		is_loop, is_resume;
	};

	void find_native();
	// is_main: no call of lua_resume() has run it.
	void place_state(std::vector<frame> &, std::uint32_t end, bool is_main);
	void add(const frame &, const frame *caller, std::uint32_t at,
	    std::uint32_t flags);
	std::uint32_t index_of(const frame &, std::uint32_t end) const;

	const question		&q_;
	const loaded		&where_;
	const places		&places_;
	const layout		&l_;
	written_stack		&to_;
	names			names_;
	std::vector<native_frame> native_;
	std::size_t		next_ = 0;	// of the native frames
	bool			agrees_ = true;
};

} // namespace stack9::languages::lua
