// Replays the memo: reads each slot where it was, and compares its word with
// the remembered one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "arch/cpu.h"
#include "memo.h"

namespace stack9::unwind {

struct passed {
	const remembered	*to;	// the first frame not replayed
	std::uint32_t		 n;	// frames, with those before it
};

// Returns true if the step to p was by fp and leads to p again.
[[gnu::always_inline]] inline bool
again_by_fp(const remembered *p) noexcept
{
	return p->by_fp() && *p[-1].fp_at() + p->cfa_from_fp() == p->sp() &&
	    *p->slot() == p->raw;
}

// Returns true if the signal frame before p still says that p was interrupted.
// Its words are where the walk found them, because its place is known.
inline bool
again_by_signal(const remembered *p) noexcept
{
	const std::uintptr_t frame = p[-1].sp();
	return p->by_signal() &&
	    *reinterpret_cast<const std::uintptr_t *>(frame + signal_pc) ==
	    p->raw && *reinterpret_cast<const std::uintptr_t *>(frame +
	    signal_sp) == p->sp();
}

// Replays from p, whose predecessor is a frame of the walk, until a word
// differs, to end, or until there are limit frames.  Frames up to max go into
// pcs.
[[gnu::always_inline]] inline passed
replay_memo(const remembered *p, const remembered *end, std::uintptr_t *pcs,
    std::uint32_t n, std::uint32_t max, std::uint32_t limit) noexcept
{
	const remembered *const begin = p;
	const remembered *stop = p;
	if (n < max) {
		stop += std::min<std::ptrdiff_t>(end - p, max - n);
		// The loop is unrolled: its own work is as much as a frame's.
#pragma GCC unroll 4
		for (std::uintptr_t *out = pcs + n; p != stop; p++, out++) {
			const std::uintptr_t raw = p->raw;
			if (*p->at != raw) [[unlikely]]
				if (!again_by_fp(p) && !again_by_signal(p))
					break;
			*out = strip(raw);
		}
	}
	if (p == stop && p != end && max < limit) {
		stop += std::min<std::ptrdiff_t>(end - p,
		    limit - std::max(n, max));
		while (p != stop && (*p->at == p->raw ||
		    again_by_fp(p) || again_by_signal(p)))
			p++;
	}
	return {p, n + static_cast<std::uint32_t>(p - begin)};
}

} // namespace stack9::unwind
