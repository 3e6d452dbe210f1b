// Finds where runtime.g has what differs between the releases of Go.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "goroutine.h"

#include <algorithm>
#include <vector>

namespace stack9::coroutines {
namespace {

// No stack of Go is larger, unless its program asks for more.
constexpr std::uint64_t stack_max = std::uint64_t{4} << 30;
// Ids count from 1.  Pointers to Go's heap are larger than this.
constexpr std::uint64_t id_max = std::uint64_t{1} << 38;
// While the garbage collector reads the stack.
constexpr std::uint32_t scanned = 0x1000;

constexpr bool
is_status(std::uint32_t s) noexcept
{
	return s >= 1 && s <= 11 && s != 5 && s != 7;
}

constexpr bool
is_dead_status(status s) noexcept
{
	return s == status::dead || s == status::deadextra;
}

} // namespace

// The frame pointer is the last of the saved registers; since Go 1.25 one
// register less is saved.
std::uint64_t
goroutine::fp() const noexcept
{
	for (const std::size_t at : {std::size_t{96}, std::size_t{104}})
		if (word(at) >= sp() && word(at) < high())
			return word(at);
	return 0;
}

bool
goroutine::may_be_at(std::uint64_t at) const noexcept
{
	const bool empty = low() == 0 && high() == 0;
	return word(72) == at && (empty || (low() < high() &&
	    high() - low() <= stack_max && low() % 8 == 0 && high() % 8 == 0));
}

status
layout::state_at(const goroutine &g, std::size_t id) noexcept
{
	return status{g.get<std::uint32_t>(id - 8) & ~scanned};
}

// The status lies before the id, and a lock between them.
bool
layout::fits(std::span<const goroutine> all, std::size_t id)
{
	std::vector<std::uint64_t> ids;
	for (const goroutine &g : all) {
		const status s = state_at(g, id);
		if (!is_status(static_cast<std::uint32_t>(s)) ||
		    g.get<std::uint32_t>(id - 4) > 1)
			return false;
		if (is_dead_status(s))
			continue;
		ids.push_back(g.word(id));
		if (ids.back() == 0 || ids.back() >= id_max)
			return false;
	}
	std::sort(ids.begin(), ids.end());
	return !ids.empty() &&
	    std::adjacent_find(ids.begin(), ids.end()) == ids.end();
}

bool
layout::find(std::span<const goroutine> all)
{
	for (id_ = 128; id_ <= 224; id_ += 8)
		if (fits(all, id_))
			return true;
	return false;
}

bool
layout::is_parked(const goroutine &g) const noexcept
{
	const status s = state(g);
	return !g.is_on_thread() && (s == status::runnable ||
	    s == status::waiting || s == status::preempted ||
	    s == status::leaked);
}

bool
layout::is_dead(const goroutine &g) const noexcept
{
	return is_dead_status(state(g));
}

} // namespace stack9::coroutines
