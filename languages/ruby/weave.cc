// Puts the frames of Ruby in the place of the calls of its loop, and functions
// in C before their native frames.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "weave.h"

#include <algorithm>
#include <vector>

#include "calls.h"

namespace stack9::languages::ruby {
namespace {

// The most native frames that are compared, and bytes of names.
constexpr unsigned int most_compared = 1 << 22;
constexpr std::size_t most_written = 1 << 22;

class weaving {
public:
	weaving(const question &q, std::span<const named_frame> frames,
	    written_stack &to) : q_(q), frames_(frames), to_(to) {}

	void assign(const std::vector<call> &);

private:
	void add(const named_frame &, std::uint32_t at, std::uint32_t flags);
	void add_functions(std::size_t first, std::size_t end,
	    std::uint32_t from, std::uint32_t to, std::uint32_t flags);

	const question		&q_;
	const std::span<const named_frame> frames_;	// innermost first
	written_stack		&to_;
	unsigned int		compared_ = most_compared;
};

void
weaving::add(const named_frame &f, std::uint32_t at, std::uint32_t flags)
{
	to_.add(at, flags | (f.is_known ? 0 : written_guessed), "ruby", f.name,
	    f.file, f.line);
}

// Adds functions in C that have called one another, before their native frames:
// these are in [from, to).  One whose native frame is not there, because it
// ended in a jump, goes with the next one.
void
weaving::add_functions(std::size_t first, std::size_t end, std::uint32_t from,
    std::uint32_t to, std::uint32_t flags)
{
	std::size_t waiting = first;
	const auto add_waiting = [&](std::size_t until, std::uint32_t at) {
		for (; waiting < until; waiting++)
			add(frames_[waiting], at, flags);
	};
	for (std::size_t i = first; i < end; i++) {
		const std::uint64_t function = frames_[i].function;
		const std::uint32_t at = function == 0 ? to :
		    find_function(q_, function, from, to, compared_);
		if (at == to)
			continue;
		add_waiting(i + 1, at);
		from = at + 1;
	}
	add_waiting(end, to);
}

// Each call of the loop gets its share of the frames, from the outermost one if
// the native stack has that, because a thread may be about to call the loop.
// Functions come before the call that they were called by.
void
weaving::assign(const std::vector<call> &calls)
{
	const auto shares = static_cast<std::size_t>(std::count_if(
	    frames_.begin(), frames_.end(), [](const named_frame &f) {
		return !f.is_function && f.ends_loop;
	}));
	const bool is_whole = q_.native.why == STACK9_WHY_NONE ||
	    shares == calls.size();
	std::size_t n = 0, early = 0;
	if (is_whole && shares > calls.size())
		early = shares - calls.size();
	else if (is_whole)
		n = calls.size() - shares;
	std::uint32_t from = n == 0 ? 0 : calls[n - 1].loop + 1;
	for (std::size_t i = 0, end; i < frames_.size() &&
	    to_.text.size() < most_written; i = end) {
		const named_frame &f = frames_[i];
		const bool is_known = early == 0 && n < calls.size();
		const std::uint32_t at = early > 0 ? from : is_known ?
		    calls[n].loop : q_.native.depth;
		end = i + 1;
		if (f.is_function) {
			while (end < frames_.size() && frames_[end].is_function)
				end++;
			add_functions(i, end, from, at, is_known || (is_whole &&
			    early == 0) ? 0 : written_guessed);
			continue;
		}
		add(f, at, is_known ? written_replaces : written_guessed);
		if (!f.ends_loop)
			continue;
		if (early > 0) {
			early--;
		} else if (is_known) {
			from = calls[n].loop + 1;
			n++;
		}
	}
}

} // namespace

void
weave(const question &q, std::span<const named_frame> frames,
    std::uint64_t instruction, written_stack &to)
{
	weaving(q, frames, to).assign(find_calls(q, instruction));
}

} // namespace stack9::languages::ruby
