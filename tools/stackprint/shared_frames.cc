// Compares stacks from their outermost frames on.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "shared_frames.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "groups.h"

namespace stackprint {
namespace {

// A native frame is shared if the functions that it runs are, too.
std::uint64_t
with_written(std::uint64_t identity, const stack9_written &w)
{
	for (const char *text : {w.language, w.file, w.name})
		identity = identity * 31 + std::hash<std::string_view>()(text);
	return identity * 31 + w.line;
}

} // namespace

// A stack that is cut has no outermost frame to begin with.  The stack before
// is the easiest to find for a person, so a later one is preferred.
shared_frames::match
shared_frames::of(const stack &s, const std::string &name, names &all)
{
	constexpr std::uint32_t worth_a_line = 3;
	constexpr std::size_t most = 64;
	auto &printed = printed_[s.side == STACK9_USER];
	printed_stack now{name, {}, s.why, s.reason};
	match best;
	if (s.error != 0 || s.pcs.empty() || s.dropped != 0)
		return best;
	std::size_t w = s.written.size();
	for (std::uint32_t i = s.depth(); i-- > 0;) {
		frame f = frame_identity(s, i, all);
		for (; w > 0 && s.written[w - 1].index >= i; w--)
			f.second = with_written(f.second, s.written[w - 1]);
		now.frames.push_back(f);
	}
	for (auto p = printed.rbegin(); p != printed.rend(); ++p) {
		const auto shared = static_cast<std::uint32_t>(std::mismatch(
		    now.frames.begin(), now.frames.end(), p->frames.begin(),
		    p->frames.end()).first - now.frames.begin());
		if (p->why == now.why && p->reason == now.reason &&
		    shared >= worth_a_line && shared > best.frames)
			best = {shared, p == printed.rbegin() ? "as above" :
			    "as of " + p->name + " above"};
	}
	printed.push_back(std::move(now));
	if (printed.size() > most)
		printed.pop_front();
	return best;
}

} // namespace stackprint
