// Finds addresses in the newest snapshot, and replaces it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "snapshots.h"

#include <algorithm>

namespace stack9::process {

place
place_in(const mapping &m, std::uintptr_t address) noexcept
{
	place p{&m, m.backing.get(), 0, 0};
	if (p.backing != nullptr && p.backing->vaddr_of(
	    address - m.start + m.offset, p.vaddr))
		p.bias = address - p.vaddr;
	return p;
}

// A thread that counts itself among the readers after the exchange finds the
// new snapshot.
void
snapshots::publish(std::unique_ptr<const spots> next) noexcept
{
	static constinit std::atomic<std::uint64_t> made{0};
	superseded_.emplace_back(now_.exchange(next.release()));
	number_.store(made.fetch_add(1) + 1, std::memory_order_release);
	if (readers_.load() == 0)
		superseded_.clear();
}

bool
snapshots::find(std::uintptr_t address, place &to) noexcept
{
	const mapping *found = nullptr;
	readers_.fetch_add(1);
	if (const spots *const now = now_.load(); now != nullptr) {
		const auto behind = std::upper_bound(now->begin(), now->end(),
		    address, [](std::uintptr_t a, const spot &s) {
			return a < s.start;
		    });
		if (behind != now->begin() && address < std::prev(behind)->end)
			found = std::prev(behind)->what;
	}
	readers_.fetch_sub(1);
	if (found == nullptr)
		return false;
	to = place_in(*found, address);
	return true;
}

} // namespace stack9::process
