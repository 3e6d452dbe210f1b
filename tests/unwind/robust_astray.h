// Makes words that lead stacks astray, as a wild write leaves them in saved
// registers and return addresses.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

// Makes words that resemble frame pointers and return addresses and are none.
class lures {
public:
	explicit lures(std::uint64_t seed);

	std::uintptr_t any();
	std::uintptr_t code();		// in something executable
	std::uintptr_t pointer();	// mapped or not, aligned or not
	std::uint64_t below(std::uint64_t n) { return random_() % n; }

	// Pointers into the stack from here to there are among them.
	void
	set_stack(std::uintptr_t from, std::uintptr_t to)
	{
		from_ = from;
		to_ = to;
	}
	// Memory that was mapped the last time is not, and the other way round.
	void change_ghost();

private:
	struct range {
		std::uintptr_t begin, end;
	};
	void find_code();
	void make_pages();
	std::uintptr_t near_page(char *);

	std::mt19937_64	random_;
	std::vector<range> code_;
	std::uintptr_t	from_ = 0, to_ = 0;
	char		*hidden_ = nullptr;	// PROT_NONE
	char		*beyond_ = nullptr;	// a file's end
	char		*ghost_ = nullptr;	// there and not there
	bool		ghost_there_ = false;
};
