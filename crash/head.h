// Writes the first part of a report: the signal, and the stack of the thread
// that crashed.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "crash.h"
#include "steps.h"

namespace stack9::crash {

class head final : public work {
public:
	head(const crash &c, std::span<std::uintptr_t> pcs) noexcept
	    : what_(c), pcs_(pcs) {}
	void run(tracing::tracer &) noexcept override;

private:
	const crash			&what_;
	const std::span<std::uintptr_t>	 pcs_;
};

} // namespace stack9::crash
