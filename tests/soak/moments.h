// Goes through what was noted of a span of time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "judge.h"

namespace soak {

// 0 is "not yet".
inline std::uint64_t
end_of(std::uint64_t noted)
{
	return noted != 0 ? noted : ~std::uint64_t{0};
}

inline span
common(span a, span b)
{
	return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

inline bool
is_empty(span s)
{
	return s.begin > s.end;
}

inline span
span_of(const wait &w)
{
	return {w.begin, end_of(w.end.load())};
}

// Calls f for each wait of the thread that has a part of the span, the newest
// first, until it returns true.
template <class F>
bool
each_wait(const actor &a, span s, F f)
{
	const std::uint32_t n = a.waits.load();
	for (std::uint32_t i = n; i-- > (n < waits_kept - 16 ? 0 :
	    n - waits_kept + 16);) {
		const wait &w = a.wait_log[i % waits_kept];
		const span at = span_of(w);
		if (at.end < s.begin)
			return false;
		if (at.begin <= s.end && f(w))
			return true;
	}
	return false;
}

// The same of the turns of a lock, with the span in which each may have had it.
template <class F>
bool
each_turn(const object &o, span s, F f)
{
	const std::uint32_t n = o.turns.load();
	for (std::uint32_t i = n; i-- > (n < turns_kept - 64 ? 0 :
	    n - turns_kept + 64);) {
		const turn &t = o.log[i % turns_kept];
		const span at{i == 0 ? 0 : o.log[(i - 1) % turns_kept].release,
		    end_of(t.released)};
		if (at.end < s.begin)
			return false;
		if (at.begin <= s.end && f(t, at))
			return true;
	}
	return false;
}

} // namespace soak
