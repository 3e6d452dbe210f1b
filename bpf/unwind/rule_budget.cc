// Sizes the maps of walk_maps.h as there is room.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "rule_budget.h"

#include <algorithm>
#include <bit>

#include <bpf/libbpf.h>

#include "bpf/possible_cpus.h"

namespace stack9::events {

std::uint32_t
memos_for(unsigned int cpus) noexcept
{
	constexpr unsigned int for_each_cpu = 8, most = 8192;
	return std::bit_ceil(std::clamp(cpus * for_each_cpu,
	    unsigned{S9_MEMOS}, most));
}

int
size_rule_maps(bpf_object *o, const rule_budget &room, bool may_grow) noexcept
{
	const auto part = static_cast<std::uint32_t>(room.part());
	constexpr std::uint32_t spaces = S9_MOST_SPACES, grows =
	    BPF_F_NO_PREALLOC;
	const struct {
		const char	*name;
		std::uint32_t	 value;		// bytes; 0: as it is
		std::uint32_t	 entries;
		std::uint32_t	 flags;		// beside those that it has
	} all[] = {
		{"rules", part + 8, 1, 0},
		{"pages", 0, room.pages, 0},
		{"rows", 0, room.rows / 2, 0},
		{"memos", 0, memos_for(bpf::possible_cpus()), 0},
		{"mapped", 0, may_grow ? spaces : spaces / 16,
		    may_grow ? grows : 0},
		{"more_rules", 0, S9_MORE_PARTS, 0},
	};
	for (const auto &m : all) {
		bpf_map *const map = bpf_object__find_map_by_name(o, m.name);
		int error = -bpf_map__set_max_entries(map, m.entries);
		if (error == 0 && m.value != 0)
			error = -bpf_map__set_value_size(map, m.value);
		if (error == 0 && m.flags != 0)
			error = -bpf_map__set_map_flags(map,
			    bpf_map__map_flags(map) | m.flags);
		if (error != 0)
			return error;
	}
	return 0;
}

} // namespace stack9::events
