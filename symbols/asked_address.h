// Looks for the symbols of several addresses of one module while its table is
// read once.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "symbol_choice.h"
#include "symbol_section.h"

namespace stack9 {

// A table is read once for as many addresses of its module.
inline constexpr std::size_t together = 6;

// An address in a module, and its name as far as the table was read.
struct asked_address {
	std::uintptr_t	pc = 0;
	std::uintptr_t	vaddr = 0;	// of the instruction
	symbol_choice	best{};
};

// Separates symbols that hold no address from others, without a branch for each
// address: most symbols are elsewhere.
class vicinity {
public:
	explicit vicinity(std::span<const asked_address> all) noexcept
	{
		for (std::size_t i = 0; i < together; i++)
			vaddr_[i] = all[std::min(i, all.size() - 1)].vaddr;
		const auto ends = std::minmax_element(vaddr_,
		    vaddr_ + together);
		lowest_ = *ends.first;
		highest_ = *ends.second;
	}

	// The address after a function may be its, too.
	bool
	may_hold(const ElfW(Sym) &s) const noexcept
	{
		const std::uint64_t begin = s.st_value, size = s.st_size;
		// One branch: symbols are in no order.
		if ((begin > highest_) |
		    ((begin < lowest_) & (lowest_ - begin > size)))
			return false;
		bool any = false;
#pragma GCC unroll 6
		for (const std::uint64_t vaddr : vaddr_)
			any |= vaddr - begin <= size;
		return any;
	}

private:
	std::uint64_t	vaddr_[together];
	std::uint64_t	lowest_, highest_;
};

inline void
consider_all(const bytes &b, const symbol_section &t, std::span<ElfW(Sym)> room,
    std::span<asked_address> all) noexcept
{
	const vicinity near(all);
	t.each(b, room, [&](const ElfW(Sym) &s) {
		if (near.may_hold(s))
			for (asked_address &a : all)
				a.best.consider(b, t, s, a.vaddr);
	});
}

} // namespace stack9
