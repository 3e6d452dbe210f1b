// Makes a frame for each comm.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "profile.h"

#include <algorithm>
#include <unordered_map>

namespace profiles {
namespace {

bool
lacks_process(const profile &p, const stack &s)
{
	return !s.comm.empty() && (s.frames.empty() ||
	    p.frames[s.frames.front()].kind != frame_kind::process);
}

} // namespace

const profile &
with_processes(const profile &p, profile &copy)
{
	if (std::none_of(p.stacks.begin(), p.stacks.end(),
	    [&](const stack &s) { return lacks_process(p, s); }))
		return p;
	copy = p;
	std::unordered_map<std::string, std::uint32_t> known;
	for (stack &s : copy.stacks) {
		if (!lacks_process(copy, s))
			continue;
		const auto [it, is_new] = known.try_emplace(s.comm,
		    static_cast<std::uint32_t>(copy.frames.size()));
		if (is_new) {
			frame &f = copy.frames.emplace_back();
			f.kind = frame_kind::process;
			f.name = s.comm;
		}
		s.frames.insert(s.frames.begin(), it->second);
	}
	return copy;
}

} // namespace profiles
