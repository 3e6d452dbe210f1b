// A part of a file, from which nothing outside of it can be read.
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
	// How much of it there is at that place, up to room.
	std::size_t some(std::uint64_t at, void *to, std::size_t room)
	    const noexcept;
	template <typename T>
	bool
	value(std::uint64_t at, T &to) const noexcept
	{
		return some(at, &to, sizeof to) == sizeof to;
	}
	bool text(std::uint64_t at, std::string &) const;
	// Empty if it does not begin in here.
	file_part behind(std::uint64_t at) const noexcept;

private:
	const file	*file_ = nullptr;
	std::uint64_t	offset_ = 0, size_ = 0;
};

} // namespace stack9::process
