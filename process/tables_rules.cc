// Gives all rules of a stretch of code, by reading the program of each function
// there once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <algorithm>
#include <vector>

#include "budgets/budgets.h"

namespace stack9::process {
namespace {

// Even the shortest functions have more bytes than this, on average.
constexpr std::uint64_t bytes_of_function = 4;

// Functions are padded to as much.
constexpr std::uint64_t padding = 16;

struct stretch {
	std::uint64_t	from, to;

	bool is_empty() const noexcept { return from >= to; }
	std::uint64_t
	clamp(std::uint64_t at) const noexcept
	{
		return std::clamp(at, from, to);
	}
};

// Adds code that no FDE describes.  Where a function begins after it, the last
// byte may be that before a planted return address.  Such a byte has a rule of
// its own.
void
add_gap(const stretch &s, bool ends_in_function, unwind::rule gap,
    rule_runs &runs)
{
	const std::uint64_t end = s.to - ends_in_function;
	if (s.from < end)
		runs.put(s.from, gap);
	if (end < s.to)
		runs.put(std::max(s.from, end), 0);
}

// Adds the rules that the FDE of a function has there.  Returns the address
// from which on it has none.
std::uint64_t
add_function(const unwind::cfi_section &s, std::size_t fde, const stretch &at,
    unwind::function_rules &all, rule_runs &runs)
{
	runs.put(at.from, 0);
	all.parts.clear();
	if (budgets::exceeds(unwind::programs_size(s, fde),
	    budgets::unwind_program) || !unwind::rules_of_fde(s, fde, all))
		return at.to;
	for (std::size_t n = 0; n < all.parts.size(); n++) {
		const std::uint64_t begin = all.begin + all.parts[n].from,
		    end = n + 1 == all.parts.size() ? all.end :
		    all.begin + all.parts[n + 1].from;
		if (begin < at.to && end > at.from)
			runs.put(std::max(begin, at.from), all.parts[n].what);
	}
	return at.clamp(all.end);
}

} // namespace

bool
tables::may_make(const unwind::cfi_section &s, std::size_t fde) noexcept
{
	const std::uint64_t size = unwind::programs_size(s, fde);
	return size <= budgets::long_program || !budgets::exceeds(
	    made_.fetch_add(size) + size, budgets::long_rereading);
}

// Finds the FDEs of [from, to), and one that begins at `to`.
bool
tables::find_fdes(const section &s, std::uint64_t from, std::uint64_t to,
    std::vector<unwind::fde_place> &all)
{
	const std::size_t most = (to - from) / bytes_of_function + 3;
	std::size_t many = 0;
	if (s.header == 0)
		return s.index.find_all(from, to + 1, most, all);
	unwind::fdes_by_header(s.bytes, s.header, from, to + 1, {}, many);
	if (many > most)
		return false;
	all.resize(many);
	return unwind::fdes_by_header(s.bytes, s.header, from, to + 1, all,
	    many);
}

void
tables::eh_frame_rules(file &f, std::uint64_t from, std::uint64_t to,
    unwind::rule gap, rule_runs &runs)
{
	const section *const s = eh_frame_.get(f, read_eh_frame);
	std::vector<unwind::fde_place> all;
	unwind::function_rules rules;
	runs.put(from, 0);
	if (s == nullptr || s->left_out || !find_fdes(*s, from, to, all))
		return;
	std::uint64_t at = from;	// what has a rule so far
	for (std::size_t n = 0; n < all.size(); n++) {
		const stretch has{std::max<std::uint64_t>(all[n].begin, from),
		    n + 1 == all.size() ? to :
		    std::min<std::uint64_t>(all[n + 1].begin, to)};
		if (has.is_empty())
			continue;
		const bool is_padding = at != from && has.from - at < padding;
		add_gap({at, has.from}, true, is_padding ? unwind::rule() : gap,
		    runs);
		at = has.to;
		if (may_make(s->bytes, all[n].fde))
			at = add_function(s->bytes, all[n].fde, has, rules,
			    runs);
		else
			runs.put(has.from, 0);
	}
	add_gap({at, to}, !all.empty() && all.back().begin == to, gap, runs);
}

} // namespace stack9::process
