// Goes through what was noted of a span of time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "ledger.h"
#include "told.h"

namespace soak {

// Says how far something that was reported is known to be true.
enum class truth : std::uint8_t {
	no,
	forgotten,	// too much has been noted since
	not_yet,	// a thread has still to note what it did
	yes
};

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
	return {w.what.begin, end_of(w.end.load())};
}

// Asks f of the entries of a log, the newest first, until it says yes, or
// nothing: older ones do not matter.  Threads note on meanwhile, so an answer
// counts only if the entry is still there.
template <class T, std::uint32_t kept, class F>
truth
newest(const kept_log<T, kept> &log, F f)
{
	truth so_far = truth::no;
	for (std::uint32_t n = log.count.load(); n-- > 0;) {
		const std::optional<truth> t = f(n, log.of(n));
		if (!log.had(n))
			return std::max(so_far, truth::forgotten);
		if (!t.has_value())
			break;
		so_far = std::max(so_far, *t);
		if (so_far == truth::yes)
			break;
	}
	return so_far;
}

// Asks f of each wait of the thread that has a part of the span.
template <class F>
truth
each_wait(const actor &a, span s, F f)
{
	return newest(a.waits, [&](std::uint32_t, const wait &w) ->
	    std::optional<truth> {
		const noted what = w.what;
		const span at{what.begin, end_of(w.end.load())};
		if (at.end < s.begin)
			return std::nullopt;
		return at.begin <= s.end ? f(what, at) : truth::no;
	});
}

// The same of the turns of a lock, with the span in which each may have had it.
template <class F>
truth
each_turn(const object &o, span s, F f)
{
	return newest(o.turns, [&](std::uint32_t n, const turn &of) ->
	    std::optional<truth> {
		const turn t = of;
		const span at{n == 0 ? 0 : o.turns.of(n - 1).release,
		    end_of(t.released)};
		if (n != 0 && !o.turns.had(n - 1))
			return truth::forgotten;
		if (at.end < s.begin)
			return std::nullopt;
		return at.begin <= s.end ? f(t, at) : truth::no;
	});
}

} // namespace soak
