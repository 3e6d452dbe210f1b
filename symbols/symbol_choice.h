// Chooses the best symbol for an address while a table of symbols is read.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>

#include "core/seam/record.h"

#include "symbol_section.h"

namespace stack9 {

// The length of a name in the string table, without its version.  to: NULL, or
// where the name is copied, without a NUL; name_max - 1 bytes are enough.
std::uint32_t read_name(const bytes &, const symbol_section &,
    std::uint64_t at, char *to = nullptr) noexcept;

// The best symbol so far, and the one to take if none covers the address.
class symbol_choice {
	struct named {
		function_symbol	f{0, 0, 0, 0};
		std::uint64_t	name = 0;	// in the string table
	};
	named covering, behind;

	// Most names need no look: a system call for each would be lost.
	static constexpr std::uint32_t not_measured = 1;

	static bool
	shorter(const bytes &b, const symbol_section &t, named &best,
	    function_symbol &f, std::uint64_t name) noexcept
	{
		if (best.f.name_length == not_measured)
			best.f.name_length = read_name(b, t, best.name);
		f.name_length = read_name(b, t, name);
		return f.name_length != 0 && (best.f.name_length == 0 ||
		    f.better_than(best.f));
	}

public:
	void
	consider(const bytes &b, const symbol_section &t, const ElfW(Sym) &s,
	    std::uint64_t vaddr) noexcept
	{
		function_symbol f;
		// Most symbols are elsewhere.
		if (vaddr - s.st_value > s.st_size || !to_function(s, f))
			return;
		const bool in = f.covers(vaddr);
		if (!in && (f.size == 0 || vaddr - f.start != f.size))
			return;
		named &best = in ? covering : behind;
		f.name_length = not_measured;
		const bool alike = f.start == best.f.start &&
		    f.size == best.f.size && f.rank == best.f.rank;
		if (best.f.name_length == 0 || (alike ?
		    shorter(b, t, best, f, s.st_name) : f.better_than(best.f)))
			best = {f, s.st_name};
	}

	// True if an exported function covers the address.  A file can have no
	// better name for it than its aliases among the exported ones: local
	// names rank after them.
	bool
	exported() const noexcept
	{
		return covering.f.name_length != 0 && covering.f.size != 0 &&
		    covering.f.rank % 2 == 0 && covering.f.rank < 4;
	}

	// False: put() finds no name.
	bool
	has_name(bool return_address) const noexcept
	{
		return covering.f.name_length != 0 ||
		    (!return_address && behind.f.name_length != 0);
	}

	int
	put(const bytes &b, const symbol_section &t, std::uintptr_t vaddr,
	    bool return_address, symbol_name &sym) const noexcept
	{
		const named &best = covering.f.name_length == 0 &&
		    !return_address ? behind : covering;
		const std::size_t n = best.f.name_length == 0 ? 0 :
		    read_name(b, t, best.name, sym.name);
		if (n == 0)
			return ENOENT;
		sym.name[n] = '\0';
		sym.offset = vaddr + return_address - best.f.start;
		sym.size = best.f.size;
		return 0;
	}
};

} // namespace stack9
