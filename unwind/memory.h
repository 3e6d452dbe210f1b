// Declares the memory that a walk reads: that of this process, a copied stack,
// or that of another process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace stack9::unwind {

// The bytes of an address, and of a register that is pushed.
inline constexpr std::size_t word_size = sizeof(std::uintptr_t);

class memory {
public:
	// Copies [from, from + size), all of it or nothing.  It never faults.
	virtual bool read(std::uintptr_t from, void *to, std::size_t size)
	    noexcept = 0;

	// The same, for a walk that has another way to go on without it.
	virtual bool
	read_preferred(std::uintptr_t from, void *to, std::size_t size) noexcept
	{
		return read(from, to, size);
	}

	bool
	word(std::uintptr_t at, std::uintptr_t &value) noexcept
	{
		return read(at, &value, sizeof value);
	}

protected:
	~memory() = default;
};

} // namespace stack9::unwind
