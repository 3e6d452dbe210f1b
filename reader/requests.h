// Declares what a reader asks of the process that asked it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/seam/outside.h"

#include "channel.h"

namespace stack9::apart {

class requests final : public outside {
public:
	explicit requests(channel &c) noexcept : channel_(c) {}

	// Another question begins: memory may have changed.
	void forget() noexcept { pages_.clear(); }

	bool read_memory(std::uintptr_t, void *, std::size_t) noexcept override;
	int open_elf(const char *, unique_fd &) noexcept override;
	unique_fd open_perf_map(pid_t &) noexcept override;
	unique_fd fetch(std::span<const unsigned char>) noexcept override;

private:
	static constexpr std::size_t page_size = 4096, most_pages = 64;

	// Empty: it cannot be read.
	using page = std::vector<std::byte>;

	bool ask(message &, unique_fd &) noexcept;
	const page &page_of(std::uint64_t start);

	channel		&channel_;
	message		asked_;
	// Those that a walk has read: code that was made at run time is
	// searched byte by byte.
	std::map<std::uint64_t, page> pages_;
};

} // namespace stack9::apart
