// Chooses the pages that are learned together.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "seen_pages.h"

#include <algorithm>

#include "os/clocks.h"
#include "process/space.h"

namespace stack9::events {
namespace {

// Parts of so many pages; a few where each takes a single row.
constexpr std::uint32_t part_pages = 256, parts_at_once = 16;

// So many pages around one without rows are learned together: the more, the
// more often a file's code was met that had none.
std::uint32_t
pages_at_once(std::uint32_t met) noexcept
{
	return met <= 2 ? 1 : met <= 6 ? 16 : part_pages;
}

} // namespace

void
seen_pages::clear() noexcept
{
	met_.clear();
	began_ns_ = boot_ns();
	spent_ns_ = 0;
}

// A minute's learning takes a second at most.
bool
seen_pages::may_publish() const noexcept
{
	constexpr std::uint64_t second = 1'000'000'000, share = 60;
	return spent_ns_ < second + (boot_ns() - began_ns_) / share;
}

// Learns n pages from this one on.  False: there are none, or each takes more
// than a row.
bool
seen_pages::publish_part(stack9_space &space, std::uint64_t snapshot,
    const s9_code &c, std::uint32_t from, std::uint32_t n, code_pages &to)
{
	const auto pages = static_cast<std::uint32_t>(c.size / S9_CODE_PAGE);
	if (from >= pages)
		return false;
	n = std::min(n, pages - from);
	if (!code_rules(space, c.start + std::uint64_t{from} * S9_CODE_PAGE,
	    n * S9_CODE_PAGE, runs_) || !are_in_order(runs_) ||
	    space.number() != snapshot)
		return false;
	to.add(c.first + from, n, runs_);
	return runs_.size() <= n;
}

void
seen_pages::publish(stack9_space &space, std::uint64_t snapshot,
    const s9_code &c, std::uintptr_t address, code_pages &to)
{
	if (c.first == 0 || to.is_full())
		return;
	const auto page = static_cast<std::uint32_t>((address - c.start) /
	    S9_CODE_PAGE);
	if (to.knows(c.first + page) || !may_publish())
		return;
	const std::uint64_t begun = boot_ns();
	const std::uint32_t n = pages_at_once(++met_[c.first]);
	std::uint32_t from = page - page % n, parts = 0;
	while (publish_part(space, snapshot, c, from, n, to) &&
	    n == part_pages && ++parts < parts_at_once && !to.is_full())
		from += n;
	spent_ns_ += boot_ns() - begun;
}

} // namespace stack9::events
