// Searches the tree of OPs of a statement (op.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "closest.h"

#include <algorithm>

namespace stack9::languages::perl {
namespace {

// A statement with more OPs has the line of its beginning.
constexpr unsigned int most_ops = 4096;

struct op {
	std::uint64_t	at, next, sibling, target, first;
	unsigned int	type;
};

bool
read_op(unwind::memory &m, std::uint64_t at, op &to)
{
	constexpr unsigned int type = 0x1ff, more = 0x4000, kids = 4;
	std::uint16_t bits;
	std::uint8_t flags;
	to.at = at;
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

// Goes through the tree of a statement as it is written, until f(op, cop) is
// true.  Each level has a COP of its own, the last that was met among the OPs
// before, and hands it to those below.
template <class F>
void
each_op(unwind::memory &m, const layout &l, std::uint64_t cop, F f)
{
	struct level {
		std::uint64_t	at, cop;
	};
	op o;
	if (l.next_state == 0 || !read_op(m, cop, o) || o.sibling == 0)
		return;
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
			return;
		if (at != root && o.type == 0 && o.target == l.next_state)
			now.cop = at;
		if (f(o, now.cop))
			return;
		// Only what is below the root counts.
		now.at = at == root ? 0 : o.sibling;
		if (o.first != 0)
			levels.push_back({o.first, std::uint64_t{now.cop}});
	}
}

std::uint64_t
next_of(const layout &l, const op &o)
{
	return o.type == l.scope ? 0 : o.next;
}

} // namespace

std::uint64_t
closest_cop(unwind::memory &m, const layout &l, std::uint64_t cop,
    std::uint64_t sought, bool is_behind)
{
	std::uint64_t closest = cop;
	if (sought != 0)
		each_op(m, l, cop, [&](const op &o, std::uint64_t its) {
			const bool is_found = o.at == sought ||
			    (is_behind && next_of(l, o) == sought);
			if (is_found)
				closest = its;
			return is_found;
		});
	return closest;
}

const line_of_file &
statement::at(std::uint64_t sought, bool is_behind) const
{
	const auto found = std::find_if(ops.begin(), ops.end(),
	    [&](const one_op &o) {
		return o.at == sought || (is_behind && o.next == sought);
	});
	return sought == 0 || found == ops.end() ? places[0] :
	    places[found->place];
}

// Most statements are of one line, and need no OPs.
statement
read_statement(unwind::memory &m, const layout &l, std::uint64_t cop)
{
	statement to;
	std::vector<std::uint64_t> cops{cop};
	to.places.push_back(place_of(m, l, cop));
	each_op(m, l, cop, [&](const op &o, std::uint64_t its) {
		const auto known = std::find(cops.begin(), cops.end(), its);
		to.ops.push_back({o.at, next_of(l, o),
		    static_cast<std::size_t>(known - cops.begin())});
		if (known == cops.end()) {
			cops.push_back(its);
			to.places.push_back(place_of(m, l, its));
		}
		return false;
	});
	if (cops.size() == 1)
		to.ops.clear();
	return to;
}

} // namespace stack9::languages::perl
