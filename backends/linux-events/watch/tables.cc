// Reads tables with many elements in one system call, because a table may have
// a million.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <algorithm>
#include <cerrno>

#include <bpf/bpf.h>

#include "bpf/possible_cpus.h"

namespace stack9::events {
namespace {

constexpr std::uint32_t most_elements = 4096, bytes_of_batch = 4 << 20;

// Reads the rest of a table, a batch at a time.
class batches {
public:
	batches(int map, std::uint32_t key, std::uint32_t value)
	    : map_(map), key_(key), value_(value)
	{
		resize(std::clamp(bytes_of_batch / value, 64u, most_elements));
		token_.resize(std::max<std::size_t>(key, 8));
		next_.resize(token_.size());
	}

	// Reads the next batch.  0, and count() is 0 at the end; or an errno.
	int
	next()
	{
		count_ = 0;
		while (!done_) {
			count_ = capacity_;
			const int error = -bpf_map_lookup_batch(map_,
			    begun_ ? token_.data() : nullptr, next_.data(),
			    keys_.data(), values_.data(), &count_, nullptr);
			// One bucket has more than the buffers take.
			if (error == ENOSPC) {
				resize(2 * capacity_);
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
	const void *value(std::uint32_t i) const noexcept
	    { return values_.data() + std::size_t{i} * value_; }

private:
	void
	resize(std::uint32_t capacity)
	{
		capacity_ = capacity;
		keys_.resize(std::size_t{capacity} * key_);
		values_.resize(std::size_t{capacity} * value_);
	}

	const int		map_;
	const std::uint32_t	key_, value_;	// bytes
	std::uint32_t		capacity_ = 0, count_ = 0;
	bool			begun_ = false, done_ = false;
	std::vector<char>	keys_, values_, token_, next_;
};

} // namespace

int
read_table(programs &from, map_id table, table_visitor &to)
{
	batches all(from.map(table), from.key_size(table),
	    from.value_size(table));
	for (;;) {
		if (const int error = all.next(); error != 0)
			return error;
		if (all.count() == 0)
			return 0;
		for (std::uint32_t i = 0; i < all.count(); i++)
			if (const int error = to.visit(all.key(i),
			    all.value(i)); error != 0)
				return error;
	}
}

int
read_stacks(programs &from, table_visitor &to)
{
	for (const map_id table : {map_id::table_0, map_id::table_1,
	    map_id::table_2, map_id::table_3, map_id::table_4,
	    map_id::table_5})
		if (const int error = read_table(from, table, to); error != 0)
			return error;
	return 0;
}

int
repeated_events::read_part(std::uint32_t part)
{
	of_cpus_.resize(bpf::possible_cpus());
	if (bpf_map_lookup_elem(from_.map(map_id::repeats), &part,
	    of_cpus_.data()) != 0)
		return errno;
	std::vector<std::uint64_t> &sums = sums_[part];
	sums.resize(S9_REPEATS_PART);
	for (const s9_repeats &r : of_cpus_)
		for (std::size_t i = 0; i < sums.size(); i++)
			sums[i] += r.events[i];
	return 0;
}

int
repeated_events::read(std::uint64_t slot, std::uint64_t &events)
{
	const auto part = static_cast<std::uint32_t>(slot / S9_REPEATS_PART);
	sums_.resize(S9_REPEATS / S9_REPEATS_PART);
	if (part >= sums_.size())
		return EINVAL;
	if (sums_[part].empty())
		if (const int error = read_part(part); error != 0)
			return error;
	events = sums_[part][slot % S9_REPEATS_PART];
	return 0;
}

void
totals::begin(const programs &from)
{
	from_ = &from;
	of_cpus_.resize(bpf::possible_cpus());
	scratch_.resize(from.value_size(map_id::scratch) / 8 + 1);
	free_.assign(S9_LEVELS * of_cpus_.size(), false);
}

// Sums the counts of all CPUs without those in the scratches.
int
totals::without_scratches(s9_totals &all) noexcept
{
	all = {};
	const std::uint32_t zero = 0;
	if (bpf_map_lookup_elem(from_->map(map_id::totals), &zero,
	    of_cpus_.data()) != 0)
		return errno;
	for (const s9_totals &t : of_cpus_) {
		all.events += t.events - t.late;
		all.late += t.late;
		all.done += t.done;
		all.nested += t.nested;
		all.no_room += t.no_room;
		all.spilled += t.spilled;
		all.stacks += t.stacks;
	}
	return 0;
}

template <class F>
int
totals::each_scratch(F f) noexcept
{
	const int map = from_->map(map_id::scratch);
	for (std::uint32_t i = 0; i < free_.size(); i++) {
		if (bpf_map_lookup_elem(map, &i, scratch_.data()) != 0)
			return errno;
		f(*reinterpret_cast<const s9_scratch *>(scratch_.data()), i);
	}
	return 0;
}

int
totals::read(s9_totals &all) noexcept
{
	const int error = without_scratches(all);
	return error != 0 ? error : each_scratch([&](const s9_scratch &s,
	    std::uint32_t) {
		all.events += s.events;
		all.walked += s.walked;
		all.copied += s.copied;
		all.remembered += s.remembered;
		all.answered += s.answered;
	});
}

// Order matters: done is read first.  An event that begins afterwards is late.
bool
totals::rest() noexcept
{
	s9_totals before, now;
	if (without_scratches(before) != 0 || without_scratches(now) != 0)
		return false;
	each_scratch([&](const s9_scratch &s, std::uint32_t i) {
		free_[i] = free_[i] || s.busy == 0;
	});
	return before.done == now.events + now.late &&
	    std::find(free_.begin(), free_.end(), false) == free_.end();
}

} // namespace stack9::events
