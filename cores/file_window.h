// Reads a core file through a window, because its headers and notes are small
// and many.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stack9::cores {

class file_window {
public:
	explicit file_window(int fd) noexcept : fd_(fd) {}

	// Finds the size of the file.  False: it is not a regular file.
	bool open() noexcept;
	std::uint64_t size() const noexcept { return size_; }

	// Reads all bytes, or says false.  Throw std::bad_alloc.
	bool read(std::uint64_t at, void *to, std::size_t size);
	template <class T>
	bool
	read(std::uint64_t at, T &to)
	{
		return read(at, &to, sizeof to);
	}

private:
	const int		fd_;
	std::uint64_t		size_ = 0;	// of the file
	std::uint64_t		at_ = 0;	// what of it was read last
	std::vector<std::byte>	bytes_;
};

} // namespace stack9::cores
