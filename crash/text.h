// Writes lines to a descriptor, without stdio and without the heap.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <sys/types.h>

namespace stack9::crash {

// Collects text and writes it a few lines at a time.  A descriptor that takes
// nothing more blocks the writer.  The writer is killed at its deadline.
class text {
public:
	explicit text(int fd) noexcept : fd_(fd) {}
	~text() { flush(); }
	text(const text &) = delete;
	text &operator=(const text &) = delete;

	text &operator<<(std::string_view) noexcept;
	text &operator<<(const char *s) noexcept
	{
		return *this << std::string_view(s);
	}
	text &operator<<(std::int64_t) noexcept;
	text &operator<<(int n) noexcept { return *this << std::int64_t{n}; }
	// 0x1f; with a width, zeroes come first.
	text &hex(std::uint64_t, int width = 0) noexcept;
	// A name that a program has chosen: control characters become '?'.
	text &name(std::string_view) noexcept;
	void flush() noexcept;

private:
	const int	fd_;
	std::size_t	n_ = 0;
	char		buffer_[1024];
};

// Writes the name of a thread, as /proc has it.
text &write_name(text &, pid_t pid, pid_t tid) noexcept;

} // namespace stack9::crash
