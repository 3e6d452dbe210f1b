// Reads the packed numbers of HotSpot (UNSIGNED5 in compressedStream.hpp,
// unsigned5.hpp).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "layout.h"

namespace stack9::languages::java {

// Reads numbers one after the other, from an address on.
class packed {
public:
	packed(unwind::memory &m, const layout &l, std::uint64_t at) noexcept
	    : m_(m), excluded_(l.excluded()), at_(at) {}

	// All return 0 once a byte cannot be read.
	std::uint8_t
	byte() noexcept
	{
		std::uint8_t b = 0;
		failed_ |= failed_ || !m_.read(at_, &b, sizeof b);
		at_++;
		return failed_ ? 0 : b;
	}
	// A byte below 192 is the last one.  Each has six bits of the sum.
	std::uint32_t
	number() noexcept
	{
		constexpr unsigned int last = 192, most = 5;
		std::uint32_t sum = 0;
		for (unsigned int i = 0; i < most; i++) {
			const unsigned int b = byte();
			if (b < excluded_) {
				failed_ = true;
				return 0;
			}
			sum += (b - excluded_) << 6 * i;
			if (b < last)
				break;
		}
		return sum;
	}
	std::int32_t
	signed_number() noexcept
	{
		const std::uint32_t n = number();
		return static_cast<std::int32_t>(n >> 1) ^
		    -static_cast<std::int32_t>(n & 1);
	}
	bool failed() const noexcept { return failed_; }

private:
	unwind::memory		&m_;
	const unsigned int	excluded_;
	std::uint64_t		at_;
	bool			failed_ = false;
};

} // namespace stack9::languages::java
