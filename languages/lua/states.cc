// Finds states by the words on the stack of the thread.
//
// Nothing in memory leads from a thread to its states, but each function of
// Lua's has one as its first argument, and keeps it.  A word leads to a state
// if the object there has the type of one, and its global state has a main
// state that has the same global state.  It runs on this stack if what it
// jumps to after an error lies there, in the order of the calls, or
// deeper.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "states.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace stack9::languages::lua {
namespace {

constexpr std::size_t most_words = 1 << 16;
constexpr std::uint64_t lowest = 65536;

class state_search {
public:
	state_search(const question &q, const layout &l) noexcept
	    : q_(q), m_(q.words), l_(l) {}

	void offer(std::uint64_t word);
	std::vector<state> take();

private:
	bool has_type(std::uint64_t object, std::uint8_t type);
	bool is_global(std::uint64_t at);
	bool is_on_stack(std::uint64_t at) const noexcept
	    { return q_.copy.stack.holds(at, 8); }
	bool is_deeper(std::uint64_t at) const noexcept;

	const question		&q_;
	memory			&m_;
	const layout		&l_;
	std::set<std::uint64_t>	seen_, global_;
	std::vector<state>	found_;
};

bool
state_search::has_type(std::uint64_t object, std::uint8_t type)
{
	std::uint8_t its;
	return m_.read(object + object_type, &its, sizeof its) && its == type;
}

// The main state lies somewhere in it, by release.
bool
state_search::is_global(std::uint64_t at)
{
	constexpr std::uint64_t begin = 160, end = 400;
	if (global_.contains(at))
		return true;
	for (std::uint64_t offset = begin; offset < end; offset += 8) {
		std::uint64_t main, its;
		if (!m_.word(at + offset, main))
			return false;
		if (main < lowest || main % 8 != 0 ||
		    !has_type(main, type_thread) ||
		    !m_.word(main + state_global, its) || its != at)
			continue;
		global_.insert(at);
		return true;
	}
	return false;
}

// A thread that runs on may have called deeper since its stack was copied.
bool
state_search::is_deeper(std::uint64_t at) const noexcept
{
	constexpr std::uint64_t deepest = 1 << 20;
	const std::uint64_t sp = q_.copy.stack.at;
	process::place a, b;
	return at < sp && sp - at <= deepest && q_.space.find(at, a) &&
	    q_.space.find(sp, b) && a.where == b.where;
}

// A coroutine that has yielded, or has ended, jumps nowhere.
void
state_search::offer(std::uint64_t word)
{
	state s{word, 0, 0, 0};
	if (word < lowest || word % 8 != 0 || is_on_stack(word) ||
	    !seen_.insert(word).second || !has_type(word, type_thread) ||
	    !m_.word(word + state_global, s.global) ||
	    s.global < lowest || s.global % 8 != 0 || !is_global(s.global) ||
	    !m_.word(word + state_call, s.call) ||
	    !m_.word(word + l_.jump, s.jump) ||
	    (!is_on_stack(s.jump) && !is_deeper(s.jump)))
		return;
	found_.push_back(s);
}

std::vector<state>
state_search::take()
{
	std::sort(found_.begin(), found_.end(),
	    [](const state &a, const state &b) { return a.jump < b.jump; });
	return std::move(found_);
}

} // namespace

std::vector<state>
find_states(const question &q, const layout &l)
{
	state_search s(q, l);
	for (const std::uint64_t value : q.copy.value)
		s.offer(value);
	const byte_buffer &bytes = q.copy.stack.bytes;
	const std::size_t first = -q.copy.stack.at % 8;
	std::size_t n = 0;
	for (std::size_t at = first; at + 8 <= bytes.size() &&
	    n < most_words; at += 8, n++) {
		std::uint64_t word;
		std::memcpy(&word, bytes.data() + at, sizeof word);
		s.offer(word);
	}
	return s.take();
}

} // namespace stack9::languages::lua
