// Declares the memory of a thread's process as it is now, with the stack as it
// was copied.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "core/seam/kept_process.h"
#include "core/seam/user_copy.h"
#include "os/thread_memory.h"
#include "languages/runtime.h"

#include "kept_memory.h"

namespace stack9::remote {

// Keeps the pages that were read, because the chains of a runtime lead through
// the same ones again and again.  So it serves for one moment.
class present_memory final : public languages::memory {
public:
	// of: the memory of the thread's process; NULL: it is opened here.
	present_memory(const user_copy &copy, const stack9_thread &who,
	    kept_memory *of = nullptr) noexcept
	    : copy_(copy), of_(of), live_(who.tid, who.start),
	      kept_(kept_process_of(who.start)),
	      is_kept_((who.start & kept_mark) != 0),
	      page_size_(read_at_once(who.start)) {}

	bool read(std::uintptr_t from, void *to, std::size_t size)
	    noexcept override;

	void prefetch(std::span<const range>) noexcept override;
	// Not of a core: a dump of it would have all of that.
	void
	prefetch_all(std::uint64_t from, std::uint64_t size) noexcept override
	{
		if (!is_kept_)
			languages::memory::prefetch_all(from, size);
	}
	void forget() noexcept override;

private:
	static constexpr std::size_t part_max = 4096, most_bytes = 4 << 20;
	using page = std::vector<std::byte>;

	bool read_part(std::uintptr_t from, void *to, std::size_t size)
	    const noexcept;
	void read_parts(std::span<const range>);
	const page *page_of(std::uintptr_t start);
	bool fetch(std::uintptr_t from, void *to, std::size_t size) noexcept;

	const user_copy	&copy_;
	kept_memory *const of_;
	thread_memory	live_;
	kept_process	*const kept_;	// of a core; or NULL
	const bool	is_kept_;	// in another process, too
	const std::size_t page_size_;
	std::map<std::uintptr_t, page> pages_;
	std::map<std::uintptr_t, std::vector<std::byte>> parts_;
};

} // namespace stack9::remote
