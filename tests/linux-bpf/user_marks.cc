// Makes marks on a stack, and reads them in a copy of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user_marks.h"

namespace {

constexpr std::uint64_t magic = 0x6d61726b6d61726b;

struct mark {
	std::uint64_t magic, round, depth, all;
};

[[gnu::noinline]] void
step(std::uint64_t round, std::uint64_t depth, std::uint64_t all,
    const std::function<void()> &bottom)
{
	const mark m{magic, round, depth, all};
	asm volatile("" : : "r"(&m) : "memory");
	if (depth + 1 == all)
		bottom();
	else
		step(round, depth + 1, all, bottom);
	asm volatile("" : : "r"(&m) : "memory");	// and no tail call
}

} // namespace

void
go_down(std::uint64_t round, std::uint64_t all,
    const std::function<void()> &bottom)
{
	step(round, 0, all, bottom);
}

const char *
fault_of(const user_capture &c, std::uint64_t &marks)
{
	const auto &piece = c.copy.stack;
	const std::uint64_t end = piece.at + piece.bytes.size();
	mark last{};
	marks = 0;
	for (std::uint64_t at = c.sp(); at + sizeof(mark) <= end; at += 8) {
		if (c.word(at) != magic)
			continue;
		const mark m{magic, c.word(at + 8), c.word(at + 16),
		    c.word(at + 24)};
		if (marks == 0 && m.depth + 1 != m.all)
			return "the innermost mark is missing";
		if (marks != 0 && (m.round != last.round ||
		    m.all != last.all))
			return "marks of two rounds";
		if (marks != 0 && m.depth + 1 != last.depth)
			return "a mark is missing";
		last = m;
		marks++;
	}
	return marks == 0 ? "no marks" : last.depth != 0 ?
	    "the outermost mark is missing" : nullptr;
}
