// Declares the work of the process that reads files: it answers, and asks the
// process that asked it for what it has no right to.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "core/seam/kept_process.h"
#include "core/seam/outside.h"

#include "channel.h"

namespace stack9::sandbox {

class requests final : public outside {
public:
	explicit requests(channel &c) noexcept : channel_(c) {}

	// Another question begins, of this thread: memory may have changed.
	void
	begin(const stack9_thread &who) noexcept
	{
		begin_walk(0, who);
	}
	// The next one of many walks begins.
	void
	begin_walk(std::uint32_t number, const stack9_thread &who) noexcept
	{
		if (number == 0 || who.pid != pid_)
			pages_.clear();
		number_ = number;
		pid_ = who.pid;
		page_size_ = read_at_once(who.start);
	}
	// Takes a message that came while a reply was waited for.  False: there
	// is none.
	bool take_next(message &, unique_fd &) noexcept;

	bool read_memory(std::uintptr_t, void *, std::size_t) noexcept override;
	void read_parts(std::span<part>) noexcept override;
	void forget() noexcept override { pages_.clear(); }
	int open_elf(const char *, unique_fd &) noexcept override;
	unique_fd open_perf_map(pid_t &) noexcept override;
	unique_fd fetch(std::span<const unsigned char>) noexcept override;

private:
	static constexpr std::size_t most_bytes = 64 * 4096;

	// Empty: it cannot be read.
	using page = std::vector<std::byte>;

	bool ask(message &, unique_fd &) noexcept;
	const page &page_of(std::uint64_t start);

	channel		&channel_;
	message		asked_;
	std::uint32_t	number_ = 0;
	pid_t		pid_ = 0;
	std::size_t	page_size_ = 4096;
	std::deque<std::pair<message, unique_fd>> next_;
	// Those that a walk has read: code that was made at run time is
	// searched byte by byte.
	std::map<std::uint64_t, page> pages_;
};

// Answers until the other side is gone, and ends the process.  shared: the
// halves of a shared buffer.
[[noreturn]] void serve(channel, std::byte *shared) noexcept;

} // namespace stack9::sandbox
