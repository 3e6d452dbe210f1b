// Declares the memory of a living process, with the stacks of its threads as
// they were copied.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "os/process_memory.h"
#include "process/mapping.h"

#include "bytes.h"

namespace stack9::cores {

// Bytes of a mapped file are left to the file, as the kernel leaves them out of
// its cores: segments of files that are found again are marked.
class live_bytes final : public core_bytes {
public:
	explicit live_bytes(pid_t pid);

	// 0, or why nothing can be read.
	int error() const noexcept { return memory_.error(); }
	// Serves these bytes in place of what the process has there.  Throws
	// std::bad_alloc.
	void add_copy(std::uint64_t at, const std::byte *, std::size_t size);
	// Notes the mapping of a file's headers: the file has them where the
	// process has not touched them.  False: it is not an ELF file.  Throws
	// std::bad_alloc.
	bool add_headers(process::mapping);

	ssize_t read(const contents &, std::uint64_t from, void *to,
	    std::size_t size) noexcept override;

private:
	std::size_t from_copy(std::uint64_t from, void *to, std::size_t size,
	    std::uint64_t &next) const noexcept;
	bool is_of_file(std::uint64_t at) const noexcept;
	ssize_t from_headers(std::uint64_t from, void *to, std::size_t size)
	    noexcept;

	// As far as the headers and the notes go.
	static constexpr std::uint64_t headers_max = 8192;
	struct headers {
		process::mapping	of;
		unique_fd		file{};
		bool			is_opened = false;
	};

	process_memory	memory_;
	unique_fd	task_, pages_;
	std::map<std::uint64_t, std::vector<std::byte>> copies_;
	std::map<std::uint64_t, headers> headers_;	// by address
};

// segment::reserved: its bytes are those of a file, where it has not been
// written to.
inline constexpr std::uint32_t left_to_file = 1;
// Its pages are the kernel's and always there.
inline constexpr std::uint32_t of_kernel = 2;

} // namespace stack9::cores
