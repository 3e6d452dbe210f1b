// Many elements a system call: a table may have a million.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <algorithm>
#include <cerrno>

#include <bpf/bpf.h>

namespace stack9::events {
namespace {

constexpr std::uint32_t usual_batch = 4096;

// What is left of a table, a batch at a time.
class batches {
public:
	batches(int map, std::uint32_t key) : map_(map), key_(key)
	{
		resize(usual_batch);
		token_.resize(std::max<std::size_t>(key, 8));
		next_.resize(token_.size());
	}

	// 0 and count(), which is 0 at the end; or an errno.
	int
	next()
	{
		count_ = 0;
		while (!done_) {
			count_ = room_;
			const int error = -bpf_map_lookup_batch(map_,
			    begun_ ? token_.data() : nullptr, next_.data(),
			    keys_.data(), values_.data(), &count_, nullptr);
			// More in one bucket than there is room for.
			if (error == ENOSPC) {
				resize(2 * room_);
				continue;
			}
			if (error != 0 && error != ENOENT)
				return error;
			begun_ = true;
			done_ = error == ENOENT;
			token_.swap(next_);
			return 0;
		}
		return 0;
	}

	std::uint32_t count() const noexcept { return count_; }
	const void *key(std::uint32_t i) const noexcept
	    { return keys_.data() + std::size_t{i} * key_; }
	const s9_count &value(std::uint32_t i) const noexcept
	    { return values_[i]; }

private:
	void
	resize(std::uint32_t room)
	{
		room_ = room;
		keys_.resize(std::size_t{room} * key_);
		values_.resize(room);
	}

	const int		map_;
	const std::uint32_t	key_;
	std::uint32_t		room_ = 0, count_ = 0;
	bool			begun_ = false, done_ = false;
	std::vector<char>	keys_, token_, next_;
	std::vector<s9_count>	values_;
};

} // namespace

int
read_table(programs &from, const char *table, table_taker &to)
{
	batches all(from.map(table), from.key_size(table));
	for (;;) {
		if (const int error = all.next(); error != 0)
			return error;
		if (all.count() == 0)
			return 0;
		for (std::uint32_t i = 0; i < all.count(); i++)
			if (const int error = to.take(all.key(i),
			    all.value(i)); error != 0)
				return error;
	}
}

int
read_stacks(programs &from, table_taker &to)
{
	for (const char *const table : {"table_0", "table_1", "table_2",
	    "table_3", "table_4"})
		if (const int error = read_table(from, table, to); error != 0)
			return error;
	return 0;
}

s9_totals
read_totals(const programs &from) noexcept
{
	s9_totals all{};
	const std::uint32_t zero = 0;
	try {
		std::vector<s9_totals> each(static_cast<std::size_t>(
		    libbpf_num_possible_cpus()));
		if (bpf_map_lookup_elem(from.map("totals"), &zero,
		    each.data()) != 0)
			return all;
		for (const s9_totals &t : each) {
			all.events += t.events - t.late;
			all.late += t.late;
			all.done += t.done;
			all.nested += t.nested;
			all.no_room += t.no_room;
			all.collided += t.collided;
			all.spilled += t.spilled;
			all.stacks += t.stacks;
		}
	} catch (const std::bad_alloc &) {
	}
	return all;
}

} // namespace stack9::events
