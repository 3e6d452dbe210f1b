// Lends memory to one lookup of names at a time, without lock or heap.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include <link.h>

#include "symbol_section.h"

namespace stack9 {

// Room for parts of a file.  A large buffer saves system calls where a table
// is large.  One lookup at a time has it; one that interrupts or meets that
// lookup makes do with its stack.  Smaller things are read into the stack at
// once, because the first touch of a page costs as much as ten system calls.
class lookup_buffer {
public:
	lookup_buffer() noexcept = default;
	lookup_buffer(const lookup_buffer &) = delete;
	lookup_buffer &operator=(const lookup_buffer &) = delete;
	~lookup_buffer()
	{
		if (mine_)
			taken_.clear();
	}

	// For a table of so many bytes.  It is not copied if it is memory.
	std::span<ElfW(Sym)>
	symbols(const bytes &from, std::uint64_t size) noexcept
	{
		if (from.fd == -1 || size <= 8 * sizeof(small_) || !claim())
			return small_.symbol;
		const std::span<ElfW(Sym)> all(large_);
		return size > 16 * all.size_bytes() / 3 ? all :
		    all.first(all.size() / 3);
	}

	std::span<ElfW(Shdr)> headers() noexcept { return small_.header; }
	loader_room
	loader() noexcept
	{
		return {small_.dynamic, small_.word};
	}

	// Enough for the headers and notes of most programs.
	std::span<unsigned char> beginning() noexcept { return small_.byte; }

private:
	// Frames of a lookup stay below 2 KiB.
	static constexpr std::size_t small_size = 768;

	bool
	claim() noexcept
	{
		mine_ = mine_ || !taken_.test_and_set();
		return mine_;
	}

	// Rejected: an exchange of a byte, because RISC-V leaves it to a
	// library.
	static constinit std::atomic_flag	taken_;
	static ElfW(Sym)			large_[1024];
	union {
		unsigned char	byte[small_size];
		ElfW(Sym)	symbol[small_size / sizeof(ElfW(Sym))];
		ElfW(Shdr)	header[small_size / sizeof(ElfW(Shdr))];
		ElfW(Dyn)	dynamic[small_size / sizeof(ElfW(Dyn))];
		std::uint32_t	word[small_size / sizeof(std::uint32_t)];
	} small_;
	bool	mine_ = false;
};
inline constinit std::atomic_flag lookup_buffer::taken_{};
alignas(64) inline ElfW(Sym) lookup_buffer::large_[1024];

} // namespace stack9
