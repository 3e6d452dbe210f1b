// Reads from the parts of a memory that were kept.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kept_memory.h"

#include <algorithm>
#include <cstring>

namespace stack9::languages {

bool
kept_memory::read(std::uintptr_t from, void *to, std::size_t size) noexcept
{
	auto part = parts_.upper_bound(from);
	if (part == parts_.begin())
		return false;
	part--;
	const std::uint64_t offset = from - part->first;
	const std::size_t there = part->second.size();
	if (offset > there || there - offset < size)
		return false;
	std::memcpy(to, part->second.data() + offset, size);
	return true;
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
