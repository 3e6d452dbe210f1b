// Declares how the reader asks its asker for what it may not do by itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/seam/kept_process.h"
#include "core/seam/outside.h"
#include "os/process_memory.h"

#include "channel.h"

namespace stack9::sandbox {

class requests final : public outside {
public:
	explicit requests(channel &c) noexcept : channel_(c) {}

	// Another question begins, about the process that this thread is of:
	// memory may have changed.
	void
	begin(const stack9_thread &of_process) noexcept
	{
		begin_walk(0, of_process);
	}
	// The next one of many walks begins.
	void begin_walk(std::uint32_t number, const stack9_thread &of_process)
	    noexcept;
	// Takes a message that came while a reply was waited for.  False: there
	// is none.
	bool take_next(message &, unique_fd &) noexcept;

	bool read_memory(std::uintptr_t, void *, std::size_t) noexcept override;
	void read_parts(std::span<part>) noexcept override;
	void forget() noexcept override { pages_.clear(); }
	// The process may have mapped more.
	void forget_absent() noexcept { absent_.clear(); }
	int open_elf(const char *, unique_fd &) noexcept override;
	unique_fd open_perf_map(pid_t &) noexcept override;
	unique_fd fetch(std::span<const unsigned char>) noexcept override;

private:
	static constexpr std::size_t most_bytes = 64 * 4096;
	static constexpr std::size_t most_absent = 4096;
	static constexpr unsigned int few = 4;

	// Empty: it cannot be read.
	using page = std::vector<std::byte>;

	bool ask(message &, unique_fd &) noexcept;
	void count_request() noexcept
	    { requests_ = std::min(requests_ + 1, few + 1); }
	const page &page_of(std::uint64_t start);
	unique_fd open_memory(bool pagemap);
	bool read_here(std::uint64_t from, void *to, std::size_t size);
	void ask_for(std::span<part>);

	channel		&channel_;
	message		asked_;
	std::uint32_t	number_ = 0;
	stack9_thread	whose_{};	// of the process that is asked about
	std::size_t	page_size_ = 4096;
	unsigned int	requests_ = 0;	// for memory of it, few + 1 at most
	process_memory	here_;		// its memory, after a few
	present_pages	known_;		// which of it are there
	std::deque<std::pair<message, unique_fd>> next_;
	// Those that a walk has read: code that was made at run time is
	// searched byte by byte.
	std::map<std::uint64_t, page> pages_;
	// Pages that the asker could not bring in from a file: the stack of a
	// language is searched for pointers, and most that lead nowhere are the
	// same in each thread.
	std::set<std::uint64_t> absent_;
};

} // namespace stack9::sandbox
