// Declares the memory of a thread's process as it is now, with the stack as it
// was copied.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>

#include "core/seam/kept_process.h"
#include "core/seam/user_copy.h"
#include "os/thread_memory.h"
#include "languages/runtime.h"

#include "kept_memory.h"
#include "pass_memory.h"

namespace stack9::remote {

// Keeps the pages that were read, because the chains of a runtime lead through
// the same ones again and again.  So it serves for one moment.  Where walks of
// several threads are of one moment, it reads whole pages for all of them.
class present_memory final : public languages::memory {
public:
	// of: the memory of the thread's process; NULL: it is opened here.
	// shared: pages of the moment, for other walks too, or NULL.
	present_memory(const user_copy &copy, const stack9_thread &who,
	    kept_memory *of = nullptr, memory_parts *shared = nullptr) noexcept
	    : copy_(copy), of_(of), given_(shared), shared_(shared),
	      live_(who.tid, who.start),
	      kept_(kept_process_of(who.start)),
	      is_kept_((who.start & kept_mark) != 0),
	      page_size_(read_at_once(who.start)) {}

	bool read(std::uintptr_t from, void *to, std::size_t size)
	    noexcept override;

	void prefetch(std::span<const range>) noexcept override;
	// Not of a core: a dump of it would have all of that.  Nor where pages
	// are shared: what is read of that is few pages.
	void
	prefetch_all(std::uint64_t from, std::uint64_t size) noexcept override
	{
		if (!is_kept_ && shared_ == nullptr)
			languages::memory::prefetch_all(from, size);
	}
	void forget() noexcept override;
	void remember() noexcept override { shared_ = given_; }

private:
	static constexpr std::size_t part_max = 4096, most_bytes = 4 << 20;
	using page = memory_parts::bytes;

	void read_parts(std::span<const range>, memory_parts &to);
	void read_pages(std::span<const range>);
	memory_parts &
	pages() noexcept
	{
		return shared_ != nullptr ? *shared_ : pages_;
	}
	void make_room();
	const page *page_of(std::uintptr_t start);
	bool fetch(std::uintptr_t from, void *to, std::size_t size) noexcept;

	const user_copy	&copy_;
	kept_memory *const of_;
	memory_parts	*const given_;
	memory_parts	*shared_;	// given_, unless that is forgotten
	thread_memory	live_;
	kept_process	*const kept_;	// of a core; or NULL
	const bool	is_kept_;	// in another process, too
	const std::size_t page_size_;
	memory_parts	pages_, parts_;		// a part by its first byte
};

} // namespace stack9::remote
