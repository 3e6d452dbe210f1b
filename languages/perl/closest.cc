// Searches the tree of OPs of a statement (op.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "closest.h"

#include <vector>

namespace stack9::languages::perl {
namespace {

// A statement with more OPs has the line of its beginning.
constexpr unsigned int most_ops = 4096;

struct op {
	std::uint64_t	next, sibling, target, first;
	unsigned int	type;
};

bool
read_op(unwind::memory &m, std::uint64_t at, op &to)
{
	constexpr unsigned int type = 0x1ff, more = 0x4000, kids = 4;
	std::uint16_t bits;
	std::uint8_t flags;
	to.first = 0;
	if (!m.word(at + op_next, to.next) ||
	    !m.word(at + op_sibling, to.sibling) ||
	    !m.word(at + op_target, to.target) ||
	    !m.read(at + op_bits, &bits, sizeof bits) ||
	    !m.read(at + op_flags, &flags, sizeof flags) ||
	    ((flags & kids) != 0 && !m.word(at + op_first, to.first)))
		return false;
	to.type = bits & type;
	if ((bits & more) == 0)
		to.sibling = 0;
	return true;
}

} // namespace

// Goes through the tree as it is written.  Each level has a COP of its own, the
// last that was met among the OPs before, and hands it to those below.
std::uint64_t
closest_cop(unwind::memory &m, const layout &l, std::uint64_t cop,
    std::uint64_t sought, bool is_behind)
{
	struct level {
		std::uint64_t	at, cop;
	};
	op o;
	if (l.next_state == 0 || sought == 0 || !read_op(m, cop, o) ||
	    o.sibling == 0)
		return cop;
	const std::uint64_t root = o.sibling;
	std::vector<level> levels{{root, cop}};
	for (unsigned int left = most_ops; !levels.empty() && left > 0;
	    left--) {
		level &now = levels.back();
		const std::uint64_t at = now.at;
		if (at == 0) {
			levels.pop_back();
			continue;
		}
		if (!read_op(m, at, o))
			return cop;
		if (at != root && o.type == 0 && o.target == l.next_state)
			now.cop = at;
		if (at == sought || (is_behind && o.next == sought &&
		    o.type != l.scope))
			return now.cop;
		// Only what is below the root counts.
		now.at = at == root ? 0 : o.sibling;
		if (o.first != 0)
			levels.push_back({o.first, std::uint64_t{now.cop}});
	}
	return cop;
}

} // namespace stack9::languages::perl
