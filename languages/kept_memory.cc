// Reads from the parts of a memory that were kept.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kept_memory.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stack9::languages {

bool
kept_memory::read(std::uintptr_t from, void *to, std::size_t size) noexcept
{
	return parts_.read(from, to, size);
}

void
kept_memory::keep(unwind::memory &m, std::uint64_t from, std::size_t size)
{
	constexpr std::uint64_t page = 4096;
	std::vector<std::byte> bytes;
	for (std::size_t at = 0, n; at < size; at += n) {
		n = std::min<std::size_t>(size - at,
		    page - (from + at) % page);
		bytes.resize(at + n);
		if (!m.read(from + at, bytes.data() + at, n)) {
			bytes.resize(at);
			break;
		}
	}
	std::vector<std::byte> &its = parts_[from];
	if (its.size() >= bytes.size())
		return;
	bytes_ += bytes.size() - its.size();
	its = std::move(bytes);
}

} // namespace stack9::languages
