// Learns the rules of pages of code that stacks were met in, and of pages
// beside them, as long as that takes little time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/seam/space.h"

#include "code_pages.h"
#include "layout.h"

namespace stack9::events {

class seen_pages {
public:
	void clear() noexcept;
	// Publishes the rows of the page that has this address, unless they
	// are published.  The code is mapped so in this snapshot of the space;
	// nothing is published if the space has another one.  Throws
	// std::bad_alloc.
	void publish(stack9_space &, std::uint64_t snapshot, const s9_code &,
	    std::uintptr_t address, code_pages &);

private:
	bool may_publish() const noexcept;
	bool publish_part(stack9_space &, std::uint64_t snapshot,
	    const s9_code &, std::uint32_t from, std::uint32_t n, code_pages &);

	// How often code without rows was met, by the first of its pages.
	std::map<std::uint32_t, std::uint32_t> met_;
	std::vector<rule_run> runs_;
	std::uint64_t	began_ns_ = 0, spent_ns_ = 0;
};

} // namespace stack9::events
