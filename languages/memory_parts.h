// Keeps parts of a memory that were read.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

namespace stack9::languages {

// Bytes by the address of the first.
class memory_parts {
public:
	using bytes = std::vector<std::byte>;

	memory_parts() = default;
	memory_parts(const memory_parts &) = delete;	// last_ is its own

	// NULL: none begin there.  Most words that are read lie where the last
	// one did.
	const bytes *
	find(std::uintptr_t at)
	{
		if (last_ == nullptr || last_at_ != at) {
			const auto known = all_.find(at);
			last_at_ = at;
			last_ = known == all_.end() ? nullptr : &known->second;
		}
		return last_;
	}
	// False: no part has all of these bytes.
	bool
	read(std::uintptr_t from, void *to, std::size_t size) const noexcept
	{
		auto part = all_.upper_bound(from);
		if (part == all_.begin())
			return false;
		part--;
		const std::uintptr_t offset = from - part->first;
		const std::size_t there = part->second.size();
		if (offset > there || there - offset < size)
			return false;
		std::memcpy(to, part->second.data() + offset, size);
		return true;
	}
	bool operator==(const memory_parts &other) const
	    { return all_ == other.all_; }
	bytes &operator[](std::uintptr_t at) { return all_[at]; }
	void
	erase(std::uintptr_t at)
	{
		last_ = nullptr;
		all_.erase(at);
	}
	void
	clear() noexcept
	{
		last_ = nullptr;
		all_.clear();
	}
	std::size_t size() const noexcept { return all_.size(); }

private:
	std::map<std::uintptr_t, bytes> all_;
	std::uintptr_t	last_at_ = 0;
	const bytes	*last_ = nullptr;
};

} // namespace stack9::languages
