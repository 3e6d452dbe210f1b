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

// Adds the rules that the FDE of a function has for [from, to).
void
add_function(const unwind::cfi_section &s, std::size_t fde, std::uint64_t from,
    std::uint64_t to, unwind::function_rules &all, rule_runs &runs)
{
	runs.put(from, 0);
	all.parts.clear();
	if (budgets::exceeds(unwind::programs_size(s, fde),
	    budgets::unwind_program) || !unwind::rules_of_fde(s, fde, all))
		return;
	for (std::size_t n = 0; n < all.parts.size(); n++) {
		const std::uint64_t begin = all.begin + all.parts[n].from,
		    end = n + 1 == all.parts.size() ? all.end :
		    all.begin + all.parts[n + 1].from;
		if (begin < to && end > from)
			runs.put(std::max(begin, from), all.parts[n].what);
	}
	if (all.end < to)
		runs.put(std::max<std::uint64_t>(all.end, from), 0);
}

} // namespace

bool
tables::may_make(const unwind::cfi_section &s, std::size_t fde) noexcept
{
	const std::uint64_t size = unwind::programs_size(s, fde);
	return size <= budgets::long_program || !budgets::exceeds(
	    made_.fetch_add(size) + size, budgets::long_rereading);
}

void
tables::eh_frame_rules(file &f, std::uint64_t from, std::uint64_t to,
    rule_runs &runs)
{
	const section *const s = eh_frame_.get(f, read_eh_frame);
	const std::size_t most = (to - from) / bytes_of_function + 2;
	std::vector<unwind::fde_place> all;
	unwind::function_rules rules;
	runs.put(from, 0);
	if (s == nullptr)
		return;
	if (s->header != 0) {
		std::size_t many = 0;
		all.resize(most);
		if (!unwind::fdes_by_header(s->bytes, s->header, from, to, all,
		    many))
			return;
		all.resize(many);
	} else if (!s->index.find_all(from, to, most, all)) {
		return;
	}
	for (std::size_t n = 0; n < all.size(); n++) {
		const std::uint64_t begin = std::max<std::uint64_t>(
		    all[n].begin, from), end = n + 1 == all.size() ? to :
		    std::min<std::uint64_t>(all[n + 1].begin, to);
		if (begin < end && may_make(s->bytes, all[n].fde))
			add_function(s->bytes, all[n].fde, begin, end, rules,
			    runs);
		else if (begin < end)
			runs.put(begin, 0);
	}
}

} // namespace stack9::process
