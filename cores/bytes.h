// Declares where the memory of a core is: in a file, or in a living process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <sys/types.h>

#include "os/unique_fd.h"

#include "contents.h"

namespace stack9::cores {

class core_bytes {
public:
	core_bytes() = default;
	core_bytes(const core_bytes &) = delete;
	core_bytes &operator=(const core_bytes &) = delete;
	virtual ~core_bytes() = default;

	// Copies bytes from an address on, up to size of them, and at least one
	// if that is kept.  Returns their number, or -1.
	virtual ssize_t read(const contents &, std::uint64_t from, void *to,
	    std::size_t size) noexcept = 0;
	// The same for somebody who may not need them all.
	virtual ssize_t
	peek(const contents &c, std::uint64_t from, void *to, std::size_t size)
	    noexcept
	{
		return read(c, from, to, size);
	}
	// The bytes of a mapped file were read, because read() has nothing at
	// that address.  The function reads more of the file.
	using file_reader = std::function<bool(std::uint64_t from, void *to,
	    std::size_t size)>;
	virtual void
	note_file(std::uint64_t, std::size_t, const file_reader &) noexcept
	{
	}
};

// Reads a core file.
class file_bytes final : public core_bytes {
public:
	explicit file_bytes(unique_fd fd) noexcept : fd_(std::move(fd)) {}
	ssize_t read(const contents &, std::uint64_t from, void *to,
	    std::size_t size) noexcept override;

private:
	const unique_fd	fd_;
};

} // namespace stack9::cores
