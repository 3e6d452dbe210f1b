// Writes the files that the process has code of, with their build-ids.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "crash.h"
#include "steps.h"

namespace stack9::crash {

class write_modules final : public work {
public:
	explicit write_modules(const crash &c) noexcept : what_(c) {}
	void run(tracing::tracer &) noexcept override;

private:
	const crash	&what_;
};

} // namespace stack9::crash
