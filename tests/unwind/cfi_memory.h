// Makes memory and registers by hand, for steps.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>
#include <map>

#include "unwind/memory.h"
#include "unwind/registers.h"

namespace made {

// Words at addresses that are multiples of 8, and nothing else.
class memory final : public stack9::unwind::memory {
public:
	explicit memory(std::map<std::uintptr_t, std::uintptr_t> w)
	    : words(std::move(w)) {}

	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		const auto at = words.find(from & ~std::uintptr_t{7});
		reads++;
		const std::size_t skipped = from & 7;
		if (at == words.end() || skipped + size > 8)
			return false;
		std::memcpy(to, reinterpret_cast<const char *>(&at->second) +
		    skipped, size);
		return true;
	}

	std::map<std::uintptr_t, std::uintptr_t> words;
	std::size_t	reads = 0;
};

inline stack9::unwind::registers
registers(std::map<int, std::uintptr_t> values)
{
	stack9::unwind::registers r;
	for (const auto &[number, value] : values)
		r.set(number, value);
	return r;
}

} // namespace made
