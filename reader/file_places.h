// Keeps what the reader said of places in files.  A place has the same name in
// each process that has mapped the file, and a machine that builds has many
// processes of few files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "descriptions.h"

namespace stack9::sandbox {

struct file_place {
	std::uint32_t	file = 0;	// mirrors::number_of(); 0: none
	std::uint64_t	vaddr = 0;
	bool		return_address = false;

	bool operator==(const file_place &) const = default;
};

class file_places {
public:
	// NULL: it is not known.  The pointer is good until the next call.
	const description *
	find(const file_place &p) const
	{
		const auto at = p.file == 0 ? known_.end() : known_.find(p);
		return at == known_.end() ? nullptr : &at->second;
	}
	// Lines are not kept.  Throws std::bad_alloc.
	void
	add(const file_place &p, const description &d)
	{
		if (p.file == 0 || !d.has_name || d.has_lines)
			return;
		if (known_.size() >= most)
			known_.clear();
		known_.insert_or_assign(p, d);
	}
	// Another reader gives other numbers.
	void clear() noexcept { known_.clear(); }

private:
	static constexpr std::size_t most = 1 << 14;

	struct hash {
		std::size_t
		operator()(const file_place &p) const noexcept
		{
			return (p.vaddr ^ std::uint64_t{p.file} << 40 ^
			    p.return_address) * 0x9e3779b97f4a7c15 >> 16;
		}
	};

	std::unordered_map<file_place, description, hash> known_;
};

} // namespace stack9::sandbox
