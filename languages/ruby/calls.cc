// Finds the loop by its code, because no release exports its symbol.
//
// In compiled Ruby code the first word of an instruction is the address of the
// part of the loop that carries it out.  The unwind information gives the
// function that this is in.  A frame whose call leads there has called the
// loop.  The frame before is the loop, in whichever part of its code.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "calls.h"

#include <array>
#include <cstring>

namespace stack9::languages::ruby {
namespace {

// Reads the target of the call before a return address; 0: it is not a call of
// a function of the same file.
std::uint64_t
target_of(unwind::memory &m, std::uint64_t pc)
{
	constexpr std::uint64_t size = 5;
	constexpr std::uint8_t near_call = 0xe8;
	std::array<std::uint8_t, size> code;
	std::int32_t distance;
	if (!m.read(pc - size, code.data(), size) || code[0] != near_call)
		return 0;
	std::memcpy(&distance, &code[1], sizeof distance);
	return pc + static_cast<std::uint64_t>(std::int64_t{distance});
}

} // namespace

std::vector<call>
find_calls(const question &q, std::uint64_t instruction)
{
	std::vector<call> all;
	unwind::row loop;
	if (instruction == 0 ||
	    q.code.row_of(instruction, loop) != unwind::found::yes)
		return all;
	for (std::uint32_t i = 0; i < q.native.depth; i++) {
		const std::uint64_t pc = q.native.pcs[i] - (i > 0);
		if ((pc >= loop.begin && pc < loop.end) ||
		    (i + 1 < q.native.depth && target_of(q.words,
		    q.native.pcs[i + 1]) == loop.begin))
			all.push_back({i});
	}
	return all;
}

std::uint32_t
find_function(const question &q, std::uint64_t function, std::uint32_t from,
    std::uint32_t to, unsigned int &left)
{
	constexpr std::uint64_t longest = 1 << 16;
	constexpr unsigned int cost = 256;	// of a row, in comparisons
	unwind::row row;
	for (std::uint32_t i = from; i < to && left > cost; i++, left--) {
		const std::uint64_t pc = q.native.pcs[i] - (i > 0);
		if (pc < function || pc - function >= longest)
			continue;
		left -= cost;
		if (q.code.row_of(pc, row) == unwind::found::yes &&
		    row.begin == function)
			return i;
	}
	return to;
}

} // namespace stack9::languages::ruby
