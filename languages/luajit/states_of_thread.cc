// Finds states by the words on the stack of the thread: a state leads to the
// innermost call of the loop that runs it, and this leads back to the state.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "states_of_thread.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "languages/chain.h"

#include "layout.h"

namespace stack9::languages::luajit {
namespace {

constexpr std::size_t most_words = 1 << 16;
constexpr std::uint64_t lowest = 65536;
constexpr std::uint32_t most_c_frames = 1 << 16;

class thread_search {
public:
	explicit thread_search(const question &q) noexcept
	    : q_(q), m_(q.words) {}

	void offer(std::uint64_t word);
	std::vector<lua_thread> take();

private:
	bool
	is_on_stack(std::uint64_t at) const noexcept
	{
		return q_.copy.stack.holds(at, c_frame_previous + 8);
	}
	bool read_c_frames(std::uint64_t first, lua_thread &);

	const question		&q_;
	memory			&m_;
	std::set<std::uint64_t>	seen_;
	std::vector<lua_thread>	found_;
};

// Each state has calls of its own.
bool
thread_search::read_c_frames(std::uint64_t first, lua_thread &to)
{
	std::uint64_t at = first, state;
	for (chain all(most_c_frames); all.goes_on(at);) {
		c_frame f{at, 0, 0};
		if (!is_on_stack(at) ||
		    !m_.word(at + c_frame_state, state) || state != to.at ||
		    !m_.word(at + c_frame_pc, f.pc) ||
		    !m_.read(at + c_frame_results, &f.results,
		    sizeof f.results) || !m_.word(at + c_frame_previous, at))
			return false;
		at &= ~c_frame_tags;
		to.c_frames.push_back(f);
	}
	return at == 0 && !to.c_frames.empty();
}

void
thread_search::offer(std::uint64_t word)
{
	std::uint8_t type;
	std::uint64_t first;
	lua_thread t{word, 0, 0, {}};
	if (word < lowest || word % 8 != 0 || word > address_bits ||
	    q_.copy.stack.holds(word, 8) || !seen_.insert(word).second ||
	    !m_.read(word + object_type, &type, sizeof type) ||
	    type != type_thread || !m_.word(word + state_c_frame, first) ||
	    !m_.word(word + state_base, t.base) ||
	    !m_.word(word + state_stack, t.stack) ||
	    !read_c_frames(first & ~c_frame_tags, t))
		return;
	found_.push_back(std::move(t));
}

std::vector<lua_thread>
thread_search::take()
{
	std::sort(found_.begin(), found_.end(),
	    [](const lua_thread &a, const lua_thread &b) {
		return a.c_frames.front().at < b.c_frames.front().at;
	});
	return std::move(found_);
}

} // namespace

std::vector<lua_thread>
threads_on(const question &q)
{
	thread_search s(q);
	const byte_buffer &bytes = q.copy.stack.bytes;
	std::size_t n = 0;
	for (const std::uint64_t value : q.copy.value)
		s.offer(value);
	for (std::size_t at = -q.copy.stack.at % 8; at + 8 <= bytes.size() &&
	    n < most_words; at += 8, n++) {
		std::uint64_t word;
		std::memcpy(&word, bytes.data() + at, sizeof word);
		s.offer(word);
	}
	return s.take();
}

} // namespace stack9::languages::luajit
