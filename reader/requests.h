// Declares what a reader asks of the process that asked it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/outside.h"

#include "channel.h"

namespace stack9::apart {

class requests final : public outside {
public:
	explicit requests(channel &c) noexcept : channel_(c) {}

	bool read_memory(std::uintptr_t, void *, std::size_t) noexcept override;
	int open_elf(const char *, unique_fd &) noexcept override;
	unique_fd open_perf_map(pid_t &) noexcept override;
	unique_fd fetch(std::span<const unsigned char>) noexcept override;

private:
	bool ask(message &, unique_fd &) noexcept;

	channel		&channel_;
	message		asked_;
};

} // namespace stack9::apart
