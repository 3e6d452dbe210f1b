// Declares two parts of a report: its head, and its modules.  threads.h has the
// part between them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "crash.h"
#include "steps.h"

namespace stack9::crash {

// Writes the signal, and the stack of the thread that crashed.
class head final : public work {
public:
	head(const crash &c, std::span<std::uintptr_t> pcs) noexcept
	    : what_(c), pcs_(pcs) {}
	void run(tracing::tracer &) noexcept override;

private:
	const crash			&what_;
	const std::span<std::uintptr_t>	 pcs_;
};

// Writes the files that the process has code of, with their build-ids.
class write_modules final : public work {
public:
	explicit write_modules(const crash &c) noexcept : what_(c) {}
	void run(tracing::tracer &) noexcept override;

private:
	const crash	&what_;
};

} // namespace stack9::crash
