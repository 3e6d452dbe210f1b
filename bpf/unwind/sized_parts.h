// Sets in libbpf how large the parts of the rule table are.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "rule_budget.h"

#include "os/unique_fd.h"

namespace stack9::events {

class sized_parts {
public:
	sized_parts() noexcept = default;
	sized_parts(const sized_parts &) = delete;
	sized_parts &operator=(const sized_parts &) = delete;
	~sized_parts() { close(); }

	// Before the object is loaded.  0, or an errno.
	int size(bpf_object *, const rule_budget &) noexcept;
	// After it was loaded, or after it was closed if loading has failed.
	void close() noexcept;

private:
	unique_fd	like_;
	std::uint32_t	id_ = 0;	// the kernel's, of that map
};

} // namespace stack9::events
