// Notes where the loader keeps its counts, and numbers the generations.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "generation.h"

#include "os/loader_counts.h"

#include "table.h"

namespace stack9::unwind {

constinit generations code_generation;

namespace {

// Runs at load, when the loader holds its lock for this thread or there is no
// other thread.  The priority puts it before the library's constructors that
// ask known().
__attribute__((constructor(101))) void
at_load() noexcept
{
	code_generation.start();
}

} // namespace

// With more places than can be watched, the right ones may be left out.
void
generations::start() noexcept
{
	unsigned int count = 0;
	known_ = each_loader_count([&](const std::uint32_t *at) {
		if (count < places)
			places_[count] = at;
		count++;
	}) && count <= places;
}

std::uint16_t
generations::changed(std::uint64_t seen) noexcept
{
	std::uint64_t last = last_.load(std::memory_order_acquire);
	while ((last & counts_mask) != seen) {
		auto next = static_cast<std::uint16_t>((last >> 48) + 1);
		if (next == 0)
			next = 1;
		if (!last_.compare_exchange_weak(last,
		    std::uint64_t{next} << 48 | seen,
		    std::memory_order_acq_rel))
			continue;
		changes_.fetch_add(1, std::memory_order_relaxed);
		// Before a number is used again, its old rules must be gone.
		if (next % 0x4000 == 1)
			rules.forget();
		return next;
	}
	return static_cast<std::uint16_t>(last >> 48);
}

} // namespace stack9::unwind
