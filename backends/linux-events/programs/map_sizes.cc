// Sizes the maps by what a watch asks for: values by the number of frames,
// tables by the number of stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "map_sizes.h"

#include <algorithm>
#include <iterator>

#include <bpf/bpf.h>
#include <unistd.h>

#include "bpf/possible_cpus.h"
#include "bpf/unwind/rule_budget.h"
#include "os/unique_fd.h"

namespace stack9::events {
namespace {

constexpr std::uint32_t most_threads = 65536;

// Hash tables that take memory as they grow are safe under any event since
// Linux 6.1.  That release brought the ring from user to kernel too.  Before
// it, all of the memory has to be taken first.
bool
tables_may_grow() noexcept
{
	LIBBPF_OPTS(bpf_map_create_opts, opts);
	constexpr auto user_ring = static_cast<bpf_map_type>(31);
	const unique_fd fd(bpf_map_create(user_ring, nullptr, 0, 0,
	    static_cast<std::uint32_t>(sysconf(_SC_PAGESIZE)), &opts));
	return static_cast<bool>(fd);
}

struct table_size {
	map_id		id;
	std::uint32_t	frames;		// 0: of both sides
	std::uint32_t	fewer;		// where memory is taken first
};
constexpr table_size tables[] = {
	{map_id::table_0, S9_SIZE_0, 1}, {map_id::table_1, S9_SIZE_1, 1},
	{map_id::table_2, S9_SIZE_2, 1}, {map_id::table_3, S9_SIZE_3, 4},
	{map_id::table_4, S9_SIZE_4, 8}, {map_id::table_5, 0, 32},
};
static_assert(std::size(tables) == S9_SIZES);

class sizing {
public:
	sizing(bpf_object *o, const settings &s)
	    : object_(o), set_(s), grow_(tables_may_grow()) {}

	void
	all()
	{
		const s9_config &c = set_.config;
		const std::uint32_t cpus = bpf::possible_cpus();
		const std::uint32_t words = c.words * 8;
		// A walk of the second side may reach a side further, and as
		// many bytes as any table's value has are read.
		const std::uint32_t capacity = std::max(words + c.frames * 8,
		    (S9_SIZE_4 + 1U) * 8) + 2 * S9_STRIDE * 8;
		value(map_id::scratch, sizeof(s9_scratch) + capacity);
		entries(map_id::scratch, cpus * S9_LEVELS);
		if (c.copy) {
			value(map_id::copies, sizeof(s9_event_copy) +
			    S9_COPY_ROOM + words);
			entries(map_id::copies, cpus * S9_LEVELS);
		}
		ring();
		if (!c.stream && (!c.copy || c.walk))
			counts(words);
		if (!c.stream && (!c.copy || c.walk))
			table(map_id::processes, most_threads, 1);
		if (c.walk)
			size_rule_maps(object_, set_.rules, grow_);
		if (c.reported != 0)
			reported(cpus);
		value(map_id::blocked, sizeof(s9_blocked) + capacity);
		value(map_id::nothing, sizeof(s9_blocked) + capacity);
		if (set_.off_cpu)
			table(map_id::blocked, most_threads, 16);
	}

private:
	bpf_map *find(map_id id) const { return find_map(object_, id); }
	void
	entries(map_id id, std::uint32_t n) const
	{
		bpf_map__set_max_entries(find(id), n);
	}
	void
	value(map_id id, std::uint32_t bytes) const
	{
		bpf_map__set_value_size(find(id), bytes);
	}
	void
	table(map_id id, std::uint32_t n, std::uint32_t fewer) const
	{
		entries(id, grow_ ? n : std::max(n / fewer, 1U));
		if (grow_)
			bpf_map__set_map_flags(find(id), BPF_F_NO_PREALLOC);
	}
	void
	ring() const
	{
		entries(map_id::ring, set_.ring);
	}
	void
	reported(std::uint32_t cpus) const
	{
		table(map_id::chains, S9_CHAINS, 1);
		entries(map_id::reported, cpus * S9_LEVELS);
		entries(map_id::listed, S9_LISTED);
	}
	void
	counts(std::uint32_t words) const
	{
		for (const table_size &t : tables) {
			if (t.frames == 0)
				value(t.id, sizeof(s9_counted) +
				    (words + S9_ABREAST * 8));
			table(t.id, set_.stacks, t.fewer);
		}
		entries(map_id::repeats, set_.config.slots / S9_REPEATS_PART);
	}

	bpf_object	*object_;
	const settings	&set_;
	const bool	grow_;
};

} // namespace

void
set_map_sizes(bpf_object *o, const settings &s)
{
	sizing(o, s).all();
}

} // namespace stack9::events
