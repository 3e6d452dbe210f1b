// Finds the chain of functions at an address.  libdw's dwarf_getscopes()
// searches all of the unit's functions at each call, so they are sorted here.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "dwarf_unit.h"

#include <algorithm>

#include <dwarf.h>

#include "budgets/left_out.h"
#include "core/seam/file_notes.h"
#include "os/with_stack.h"

namespace stack9 {
namespace {

// Compilers nest less deeply.  A deeper nesting was made to do harm.
constexpr int levels_max = 256;

// The tags below which functions can be found.
constexpr bool
holds_functions(int tag) noexcept
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_interface_type:
		return true;
	default:
		return false;
	}
}

// libdw (0.188) looks into the file itself for what DWARF 5's forms place in a
// common file.  GNU's forms mean the same.
void
use_common_file(Dwarf_Die &die, Dwarf_Attribute &a)
{
	Dwarf_Die unit;
	std::uint8_t address, offset;
	if (a.form == DW_FORM_strp_sup)
		a.form = DW_FORM_GNU_strp_alt;
	else if (a.form == DW_FORM_ref_sup4 && dwarf_diecu(&die, &unit,
	    &address, &offset) != nullptr && offset == 4)
		a.form = DW_FORM_GNU_ref_alt;
}

// A text of the DIE or of the one that it comes from.
const char *
text_of(Dwarf_Die die, unsigned int attribute)
{
	constexpr int origins_max = 16;
	Dwarf_Attribute a;
	for (int n = 0; n < origins_max; n++) {
		if (dwarf_attr(&die, attribute, &a) != nullptr) {
			use_common_file(die, a);
			return dwarf_formstring(&a);
		}
		if (dwarf_attr(&die, DW_AT_abstract_origin, &a) == nullptr &&
		    dwarf_attr(&die, DW_AT_specification, &a) == nullptr)
			return nullptr;
		use_common_file(die, a);
		Dwarf_Die origin;
		if (dwarf_formref_die(&a, &origin) == nullptr)
			return nullptr;
		die = origin;
	}
	return nullptr;
}

const char *
name_of(Dwarf_Die &die)
{
	for (const unsigned int attribute : {DW_AT_linkage_name,
	    DW_AT_MIPS_linkage_name, DW_AT_name})
		if (const char *const name = text_of(die, attribute))
			return name;
	return "";
}

int
number_of(Dwarf_Die &die, unsigned int attribute)
{
	Dwarf_Attribute a;
	Dwarf_Word n;
	return dwarf_attr(&die, attribute, &a) != nullptr &&
	    dwarf_formudata(&a, &n) == 0 && n <= INT32_MAX ?
	    static_cast<int>(n) : 0;
}

} // namespace

dwarf_unit::dwarf_unit(opened_dwarf &d, Dwarf_Off die, debug_work &work)
    : work_(work), of_tree_(d.dwarf.get())
{
	good_ = dwarf_offdie(of_tree_, die, &unit_) != nullptr;
	tree_ = unit_;
	Dwarf_Die split;
	std::uint8_t type;
	const std::uint64_t before = d.share.size();
	if (!good_ || dwarf_cu_info(unit_.cu, nullptr, &type, nullptr, nullptr,
	    nullptr, nullptr, nullptr) != 0 || type != DW_UT_skeleton)
		return;
	const split_found found = find_split(d.file, d.package, unit_, split,
	    d.share);
	if (found == split_found::no)
		the_file_notes.add(lacking::split_files, d.name());
	if (found != split_found::yes)
		return;
	tree_ = split;
	of_tree_ = dwarf_cu_getdwarf(split.cu);
	good_ = stop_search(of_tree_, d.nothing);
	work_.add(d.share.size() - before);
}

// A function inside a function has code apart from it, and few languages have
// such functions.  They are searched only if no other is found.
bool
dwarf_unit::find_function(std::uint64_t vaddr, Dwarf_Die &die)
{
	if (read_ == depth::none) {
		read_ = depth::outer;
		read_functions(tree_, 0);
	}
	if (search(vaddr, die))
		return true;
	if (read_ == depth::nested)
		return false;
	read_ = depth::nested;
	functions_.clear();
	read_functions(tree_, 0);
	return search(vaddr, die);
}

bool
dwarf_unit::search(std::uint64_t vaddr, Dwarf_Die &die) const
{
	auto next = std::upper_bound(functions_.begin(), functions_.end(),
	    vaddr, [](std::uint64_t v, const function &f) {
		    return v < f.start;
	    });
	for (int steps = 0; steps < 8 && next != functions_.begin(); steps++) {
		--next;
		if (vaddr < next->end)
			return dwarf_offdie(of_tree_, next->die, &die) !=
			    nullptr;
	}
	return false;
}

void
dwarf_unit::read_functions(Dwarf_Die &parent, int levels)
{
	Dwarf_Die die;
	if (levels == levels_max || dwarf_child(&parent, &die) != 0)
		return;
	const std::size_t before = functions_.size();
	do {
		const int tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram)
			add_function(die);
		if (holds_functions(tag) || (read_ == depth::nested &&
		    (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)))
			read_functions(die, levels + 1);
	} while (work_.goes_on() && dwarf_siblingof(&die, &die) == 0);
	if (levels == 0 && before != functions_.size())
		std::stable_sort(functions_.begin(), functions_.end(),
		    [](const function &a, const function &b) {
			    return a.start < b.start;
		    });
}

void
dwarf_unit::add_function(Dwarf_Die &die)
{
	Dwarf_Addr base, start, end;
	for (std::ptrdiff_t at = 0;
	    (at = dwarf_ranges(&die, at, &base, &start, &end)) > 0;)
		if (!work_.goes_on() || (start != 0 && start < end &&
		    !work_.takes_range()))
			return;
		else if (start != 0 && start < end)
			functions_.push_back({start, end,
			    dwarf_dieoffset(&die)});
}

// The inlined calls on the way to vaddr, the outermost first.
std::vector<Dwarf_Die>
dwarf_unit::inlined_at(std::uint64_t vaddr, Dwarf_Die scope)
{
	std::vector<Dwarf_Die> calls;
	Dwarf_Die die;
	int levels = 0;
	bool more = dwarf_child(&scope, &die) == 0;
	while (more && levels < levels_max && work_.goes_on()) {
		const int tag = dwarf_tag(&die);
		const bool call = tag == DW_TAG_inlined_subroutine;
		if ((call || tag == DW_TAG_lexical_block ||
		    tag == DW_TAG_try_block || tag == DW_TAG_catch_block) &&
		    dwarf_haspc(&die, vaddr) == 1) {
			if (call)
				calls.push_back(die);
			levels++;
			scope = die;
			more = dwarf_child(&scope, &die) == 0;
		} else
			more = dwarf_siblingof(&die, &die) == 0;
	}
	return calls;
}

// libdw makes all rows of a unit at once, and has no limit.  It has 100 KiB of
// them on its stack.
bool
dwarf_unit::may_read_lines()
{
	constexpr std::size_t stack_of_libdw = 192 << 10;
	if (!asked_lines_) {
		asked_lines_ = true;
		reads_lines_ = work_.takes_lines(line_program_size(unit_)) &&
		    with_stack(stack_of_libdw, [this]() noexcept {
			Dwarf_Lines *rows;
			std::size_t count;
			dwarf_getsrclines(&unit_, &rows, &count);
		    });
		if (!reads_lines_)
			leave_out(budgets::left_out::debug_sections);
	}
	return reads_lines_;
}

source_level
dwarf_unit::place_of(std::uint64_t vaddr)
{
	source_level place{"", "", 0, 0, false};
	if (!may_read_lines())
		return place;
	Dwarf_Line *const line = dwarf_getsrc_die(&unit_, vaddr);
	if (line == nullptr)
		return place;
	if (const char *const file = dwarf_linesrc(line, nullptr, nullptr))
		place.file = file;
	dwarf_lineno(line, &place.line);
	dwarf_linecol(line, &place.column);
	return place;
}

source_level
dwarf_unit::caller_of(Dwarf_Die &call)
{
	source_level place{"", "", number_of(call, DW_AT_call_line),
	    number_of(call, DW_AT_call_column), false};
	Dwarf_Files *files;
	std::size_t count;
	const auto index =
	    static_cast<std::size_t>(number_of(call, DW_AT_call_file));
	if (may_read_lines() &&
	    dwarf_getsrcfiles(&tree_, &files, &count) == 0 && index < count)
		if (const char *const file =
		    dwarf_filesrc(files, index, nullptr, nullptr))
			place.file = file;
	return place;
}

std::vector<source_level>
dwarf_unit::levels(std::uint64_t vaddr)
{
	std::vector<source_level> found;
	if (!good_)
		return found;
	source_level place = place_of(vaddr);
	Dwarf_Die outermost;
	if (!find_function(vaddr, outermost)) {
		if (place.line != 0)
			found.push_back(place);
		return found;
	}
	auto calls = inlined_at(vaddr, outermost);
	for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
		place.function = name_of(*call);
		place.inlined = true;
		found.push_back(place);
		place = caller_of(*call);
	}
	place.function = name_of(outermost);
	found.push_back(place);
	return found;
}

} // namespace stack9
