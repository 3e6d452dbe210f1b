// Finds and fills slots, and makes more of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "rule_slots.h"

#include <atomic>

#include <bpf/bpf.h>

#include "os/unique_fd.h"

namespace stack9::events {

namespace {

std::uint64_t
value_of(std::uint64_t &slot) noexcept
{
	return std::atomic_ref<std::uint64_t>(slot).load(
	    std::memory_order_relaxed);
}

} // namespace

int
rule_slots::open(int first, int more, const rule_budget &room) noexcept
{
	close();
	refused_.clear();
	added_ = 0;
	room_ = room;
	more_ = more;
	return first_.open(first, (std::size_t{1} << room.bits) + 1);
}

void
rule_slots::close() noexcept
{
	first_.close();
	others_.clear();
}

// The slot of the key, or the first free one; nullptr: there is neither.
std::uint64_t *
rule_slots::slot_of(const part &p, std::uint64_t key) const noexcept
{
	const std::uint64_t first = S9_SLOT_OF_KEY(key, room_.bits);
	for (std::uint64_t way = 0; way < S9_WAYS; way++) {
		std::uint64_t &each = p[first ^ way];
		const std::uint64_t now = value_of(each);
		if (now == 0 || now >> S9_RULE_BITS == key)
			return &each;
	}
	return nullptr;
}

std::uint64_t *
rule_slots::slot_of(std::uint64_t key) const noexcept
{
	std::uint64_t *slot = slot_of(first_, key);
	for (auto p = others_.begin(); slot == nullptr && p != others_.end();
	    ++p)
		slot = slot_of(*p, key);
	return slot;
}

// The programs find the new part through the map of parts, and keep it.
bool
rule_slots::grow()
{
	if (others_.size() >= room_.more)
		return false;
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	const unique_fd map(bpf_map_create(BPF_MAP_TYPE_ARRAY, nullptr, 4,
	    static_cast<std::uint32_t>(room_.part()), 1, &opts));
	if (!map)
		return false;
	part &p = others_.emplace_back();
	const auto index = static_cast<std::uint32_t>(others_.size() - 1);
	const int fd = map.get();
	if (p.open(fd, std::size_t{1} << room_.bits) == 0 &&
	    bpf_map_update_elem(more_, &index, &fd, BPF_ANY) == 0)
		return true;
	others_.pop_back();
	return false;
}

std::uint32_t
rule_slots::find(std::uint64_t key) const noexcept
{
	std::uint64_t *const slot = slot_of(key);
	return slot == nullptr ? 0 :
	    static_cast<std::uint32_t>(value_of(*slot) & S9_RULE_MASK);
}

void
rule_slots::say_reported() noexcept
{
	std::atomic_ref<std::uint64_t>(first_[std::size_t{1} << room_.bits]).
	    fetch_add(1);
}

bool
rule_slots::add(std::uint64_t key, std::uint32_t rule)
{
	for (;;) {
		std::uint64_t *const slot = slot_of(key);
		if (slot == nullptr && grow())
			continue;
		if (slot == nullptr) {
			if (refused_.size() < most_refused)
				refused_.insert(key);
			return false;
		}
		std::uint64_t before = 0;
		if (std::atomic_ref<std::uint64_t>(*slot).
		    compare_exchange_strong(before, key << S9_RULE_BITS |
		    rule)) {
			added_++;
			return true;
		}
		// A program may have filled it meanwhile.
		if (before >> S9_RULE_BITS == key)
			return true;
	}
}

} // namespace stack9::events
