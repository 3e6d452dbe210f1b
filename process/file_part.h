// Declares a part of a file, through which nothing outside of the part can be
// read.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "file.h"

namespace stack9::process {

class file_part {
public:
	file_part() noexcept = default;
	file_part(const file &f, std::uint64_t offset,
	    std::uint64_t size) noexcept
	    : file_(&f), offset_(offset), size_(size) {}

	std::uint64_t size() const noexcept { return size_; }
	// Reads at most capacity bytes at that place, and returns how many
	// there were.
	std::size_t some(std::uint64_t at, void *to, std::size_t capacity)
	    const noexcept;
	template <typename T>
	bool
	value(std::uint64_t at, T &to) const noexcept
	{
		return some(at, &to, sizeof to) == sizeof to;
	}
	// Returns true if the part is in the file, and not a hole.
	bool is_there(std::uint64_t at, std::uint64_t size) const noexcept;
	bool text(std::uint64_t at, std::string &) const;
	// The rest from that place on; empty if that is not in the part.
	file_part behind(std::uint64_t at) const noexcept;

private:
	const file	*file_ = nullptr;
	std::uint64_t	offset_ = 0, size_ = 0;
};

} // namespace stack9::process
