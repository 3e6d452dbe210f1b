// Makes all rules of one function.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cfi_rules.h"

#include <algorithm>

#include "cfi_machine.h"

namespace stack9::unwind {

using namespace cfa;

namespace {

// Compilers remember one state at a time.
constexpr std::size_t remembered_max = 32;

void
add_part(function_rules &to, std::uintptr_t from, const row &r)
{
	rule what = rule_of_row(r, from);
	// The meaning of other expressions may depend on the pc.
	if (r.cfa_register < 0 && what.kind() != kind::realigned &&
	    what.kind() != kind::end)
		what = cause::cfa_expression;
	if (to.parts.empty() || !(to.parts.back().what == what))
		to.parts.push_back({static_cast<std::uint32_t>(from - to.begin),
		    what});
}

} // namespace

rule
function_rules::at(std::uintptr_t pc) const noexcept
{
	const auto behind = std::upper_bound(parts.begin(), parts.end(),
	    pc - begin, [](std::uintptr_t distance, const part &p) {
		return distance < p.from;
	    });
	return behind == parts.begin() ? rule(cause::malformed) :
	    std::prev(behind)->what;
}

// Here a state that is remembered is saved, as the instructions say.
bool
cfi_machine::run_through(cursor c, function_rules &to)
{
	std::vector<row> saved;
	std::uintptr_t begun = function_.begin;

	location_ = begun;
	initial_ = false;
	while (c.left() != 0 && begun - to.begin < to.end - to.begin) {
		const auto what = c.fixed<std::uint8_t>();
		if (what == remember_state) {
			if (saved.size() == remembered_max)
				return false;
			saved.push_back(row_);
		} else if (what == restore_state) {
			if (saved.empty())
				return false;
			row_ = saved.back();
			saved.pop_back();
		} else if ((what & high_bits) == offset)
			set(what & low_bits, {place::offset, 0,
			    factored(c.uleb())});
		else if (what == def_cfa) {
			const std::uint64_t base = c.uleb();
			if (!set_cfa(base,
			    static_cast<std::int64_t>(c.uleb())))
				return false;
		} else if (what != nop && !apply(what, c))
			return false;
		if (location_ < begun)
			return false;
		if (location_ > begun)
			add_part(to, begun, row_);
		begun = location_;
	}
	if (begun - to.begin < to.end - to.begin)
		add_part(to, begun, row_);
	return c.ok();
}

std::uint64_t
programs_size(const cfi_section &s, std::size_t fde_offset) noexcept
{
	const entry e = read_entry(s, fde_offset);
	const entry common = e.what != entry::is_fde ? entry() :
	    read_entry(s, e.cie_offset);

	return common.what != entry::is_cie ? 0 :
	    e.rest.left() + common.rest.left();
}

bool
rules_of_fde(const cfi_section &s, std::size_t fde_offset, function_rules &to)
{
	const entry e = read_entry(s, fde_offset);
	cie common;
	fde function;
	row r;

	if (e.what != entry::is_fde || !read_cie(s, e.cie_offset, common) ||
	    !read_fde(s, e, common, function) || common.signal_frame ||
	    function.size > UINT32_MAX)
		return false;
	to.begin = function.begin;
	to.end = function.begin + function.size;
	begin_row(r, s);
	r.return_column = common.return_column;
	cfi_machine m(s, common, function, function.begin, r);
	return m.run(common.program, true) &&
	    m.run_through(function.program, to);
}

} // namespace stack9::unwind
