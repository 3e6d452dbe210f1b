// Puts each share of calls in the place of the call of the loop that runs them.
//
// The loop is the one large function of Lua's file.  It has no symbol where the
// file is stripped: the unwind information says where functions begin.  A
// coroutine's calls lie above the call of lua_resume() that runs it; one that
// has yielded and was resumed has lost the native frames of its outer calls.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "weave.h"

#include <algorithm>

#include "process/space.h"

namespace stack9::languages::lua {
namespace {

// The loop has 9 and 15 KB in Debian's builds, and any other function less than
// 4.
constexpr std::uint64_t smallest_loop = 6144;

} // namespace

// C functions of other files are natives of their own.
void
weave::find_native()
{
	const std::uint64_t resume = places_.resume.vaddr + where_.bias;
	for (std::uint32_t i = 0; i < q_.native.depth; i++) {
		const std::uint64_t pc = q_.native.pcs[i] - (i > 0);
		process::place p;
		unwind::row r;
		if (!q_.space.find(pc, p) ||
		    q_.code.row_of(pc, r) != unwind::found::yes)
			continue;
		const bool is_lua = p.backing == &where_.backing;
		native_.push_back({i, r.begin,
		    is_lua && r.end - r.begin >= smallest_loop,
		    is_lua && pc - resume < places_.resume.size});
	}
}

// A function of C has a native frame of its own, unless it was called in its
// caller's place.
std::uint32_t
weave::index_of(const shown_call &f, std::uint32_t end) const
{
	for (std::size_t n = next_; n < native_.size() &&
	    native_[n].at < end && !native_[n].is_loop; n++)
		if (native_[n].function == f.function)
			return native_[n].at;
	for (std::size_t n = next_; n < native_.size(); n++)
		if (native_[n].at >= end || native_[n].is_loop)
			return native_[n].at;
	return end;
}

void
weave::add(const shown_call &f, std::uint32_t at, std::uint32_t flags)
{
	to_.add(at, flags | (f.is_known ? 0 : written_guessed), "lua", f.name,
	    f.file, f.line);
}

// The native frames of a state end with the one of lua_resume(), or with the
// stack.
void
weave::place_state(const shown_state &all, std::uint32_t end, bool is_main)
{
	const auto to_loop = [&] {
		while (next_ < native_.size() && native_[next_].at < end &&
		    !native_[next_].is_loop)
			next_++;
		return next_ < native_.size() && native_[next_].at < end;
	};
	for (const shown_call &f : all) {
		if (!f.is_lua) {
			add(f, index_of(f, end), 0);
			continue;
		}
		const bool has_loop = to_loop();
		agrees_ &= has_loop || !is_main;
		add(f, has_loop ? native_[next_].at : end,
		    has_loop ? written_replaces : 0);
		if (f.ends_share && has_loop)
			next_++;
	}
	agrees_ &= !to_loop();
	while (next_ < native_.size() && native_[next_].at < end)
		next_++;
}

std::vector<std::uint32_t>
weave::resumes() const
{
	std::vector<std::uint32_t> all;
	for (const native_frame &f : native_)
		if (f.is_resume)
			all.push_back(f.at);
	return all;
}

bool
weave::has_loops()
{
	find_native();
	return std::any_of(native_.begin(), native_.end(),
	    [](const native_frame &f) { return f.is_loop; });
}

void
weave::place(const std::vector<shown_state> &states)
{
	const std::size_t first = to_.frames.size();
	const std::vector<std::uint32_t> ends = resumes();
	agrees_ &= states.size() == ends.size() + 1 &&
	    q_.native.why == STACK9_WHY_NONE;
	for (std::size_t n = 0; n < states.size(); n++)
		place_state(states[n], n < ends.size() ? ends[n] :
		    q_.native.depth, n + 1 == states.size());
	if (!agrees_)
		to_.flag_as_guessed(first);
}

shown_state
weave::shown(names &its, const state &s)
{
	std::vector<frame> all;
	shown_state to;
	agrees_ &= read_frames(q_.words, l_, s, all);
	its.find_global(s.global, all);
	for (std::size_t n = 0; n < all.size(); n++) {
		const frame &f = all[n];
		shown_call c{f.function, f.is_lua, f.ends_share(), true,
		    its.name(f, n + 1 < all.size() ? &all[n + 1] : nullptr),
		    "", 0};
		if (f.is_lua) {
			c.file = its.at(f.function).source;
			c.line = its.line(f);
		}
		to.push_back(std::move(c));
	}
	return to;
}

void
weave::run()
{
	std::vector<shown_state> all;
	names its(q_.words, l_);
	if (has_loops())
		for (const state &s : find_states(q_, l_))
			all.push_back(shown(its, s));
	place(all);
}

void
weave::run_reported(const std::vector<shown_state> &all)
{
	if (has_loops())
		place(all);
}

} // namespace stack9::languages::lua
