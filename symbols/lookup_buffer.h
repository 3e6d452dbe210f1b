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

// A large buffer saves most system calls.  One lookup at a time has it; a
// lookup that interrupts or meets that one makes do with its stack.
class lookup_buffer {
public:
	lookup_buffer() noexcept : mine_(!taken_.test_and_set()) {}
	lookup_buffer(const lookup_buffer &) = delete;
	lookup_buffer &operator=(const lookup_buffer &) = delete;
	~lookup_buffer()
	{
		if (mine_)
			taken_.clear();
	}

	// All of it for a large table.  A small one is read by more system
	// calls, which costs less than to touch all of these pages at first.
	std::span<ElfW(Sym)>
	symbols(std::uint64_t size) noexcept
	{
		const std::span<ElfW(Sym)> all(large_.symbol);
		return !mine_ ? std::span<ElfW(Sym)>(small_.symbol) :
		    size > 16 * all.size_bytes() / 3 ? all :
		    all.first(all.size() / 3);
	}

	std::span<ElfW(Shdr)>
	headers() noexcept
	{
		return mine_ ? std::span<ElfW(Shdr)>(large_.header) :
		    std::span<ElfW(Shdr)>(small_.header);
	}

	loader_room
	loader() noexcept
	{
		if (mine_)
			return {large_.dynamic, large_.word};
		return {small_.dynamic, small_.word};
	}

	// Enough for the headers and notes of most programs.
	std::span<unsigned char>
	beginning() noexcept
	{
		return mine_ ? std::span<unsigned char>(large_.byte) :
		    std::span<unsigned char>();
	}

private:
	template <std::size_t n> union alignas(64) content {
		unsigned char	byte[n];
		ElfW(Sym)	symbol[n];
		ElfW(Shdr)	header[n * sizeof(ElfW(Sym)) /
				    sizeof(ElfW(Shdr))];
		ElfW(Dyn)	dynamic[n * sizeof(ElfW(Sym)) /
				    sizeof(ElfW(Dyn)) / 4];
		std::uint32_t	word[n];
	};

	// Rejected: an exchange of a byte, which RISC-V leaves to a library.
	static constinit std::atomic_flag	taken_;
	static content<1024>			large_;
	content<12>				small_;	// frames of a lookup
						// stay below 2 KiB
	const bool				mine_;
};
inline constinit std::atomic_flag lookup_buffer::taken_{};
inline lookup_buffer::content<1024> lookup_buffer::large_;

} // namespace stack9
