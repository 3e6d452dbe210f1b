// Declares the parts of a core's memory that somebody has read.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "bytes.h"

namespace stack9::cores {

// Reads each part once, and gives the same bytes from then on, so that a dump
// has what those saw who have read it.  Thread-safe.
class kept_pages final : public core_bytes {
public:
	explicit kept_pages(std::unique_ptr<core_bytes> from) noexcept
	    : from_(std::move(from)) {}

	// Without its budget the bytes are not given.
	ssize_t read(const contents &, std::uint64_t from, void *to,
	    std::size_t size) noexcept override;
	ssize_t peek(const contents &, std::uint64_t from, void *to,
	    std::size_t size) noexcept override;
	// A reader of the dump may not have the file.
	void note_file(std::uint64_t from, std::size_t size,
	    const file_reader &) noexcept override;

	// Keeps what there is of a stretch, as if somebody had read it.
	void keep(const contents &, std::uint64_t from, std::uint64_t size)
	    noexcept;

	// Keeps what lies before the parts that are kept, from the beginning of
	// their pages on.
	void align(const contents &) noexcept;

	// How many bytes are kept at most.
	void limit(std::uint64_t bytes) noexcept { most_ = bytes; }
	bool was_short() const noexcept { return was_short_; }

	// Calls fn(address, bytes, size) for each stretch of [from, end) that
	// is kept, by address.
	template <class Fn>
	void
	each_kept(std::uint64_t from, std::uint64_t end, Fn fn) const
	{
		for (auto at = pages_.lower_bound(from & ~(page_size - 1));
		    at != pages_.end() && at->first < end; ++at)
			for (std::uint64_t g = 0; g < granules; g++) {
				const std::uint64_t a = at->first + g *
				    granule_size;
				if ((at->second.kept >> g & 1) != 0 &&
				    a >= from && a < end)
					fn(a, at->second.bytes.data() + g *
					    granule_size, granule_size);
			}
	}

	static constexpr std::uint64_t page_size = 4096, granule_size = 256,
	    granules = page_size / granule_size;

private:
	struct page {
		std::array<std::byte, page_size> bytes;
		std::uint32_t	there = 0, kept = 0;	// bits of granules
	};

	ssize_t take(const contents &, std::uint64_t from, void *to,
	    std::size_t size, bool keeps) noexcept;
	std::uint64_t read_up_to(const contents &, std::uint64_t at,
	    std::byte *to, std::uint64_t size) noexcept;
	page &page_of(const contents &, std::uint64_t start);
	bool has(const contents &, page &, std::uint64_t start,
	    std::uint64_t granule) noexcept;
	bool keep_granule(page &, std::uint64_t granule) noexcept;

	const std::unique_ptr<core_bytes> from_;
	std::mutex			lock_;
	std::map<std::uint64_t, page>	pages_;
	std::uint64_t			kept_ = 0, most_ = UINT64_MAX;
	bool				was_short_ = false;
};

} // namespace stack9::cores
