// Builds the list of compilation units by address.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "dwarf_units.h"

#include <algorithm>
#include <unordered_set>

#include <dwarf.h>

namespace stack9 {

bool
dwarf_units::find(std::uint64_t vaddr, Dwarf_Off &unit)
{
	if (read_ == nothing) {
		read_ = aranges;
		read_aranges();
	}
	if (search(vaddr, unit))
		return true;
	if (read_ == all)
		return false;
	read_ = all;
	read_the_rest();
	return search(vaddr, unit);
}

// Ranges of two units overlap only where the linker folded or dropped code; a
// few steps back lead past that.
bool
dwarf_units::search(std::uint64_t vaddr, Dwarf_Off &unit) const noexcept
{
	auto next = std::upper_bound(ranges_.begin(), ranges_.end(), vaddr,
	    [](std::uint64_t v, const range &r) { return v < r.start; });
	for (int steps = 0; steps < 8 && next != ranges_.begin(); steps++) {
		--next;
		if (vaddr < next->end) {
			unit = next->unit;
			return true;
		}
	}
	return false;
}

// The linker has dropped whatever begins at 0.
void
dwarf_units::add(std::uint64_t start, std::uint64_t end, Dwarf_Off unit)
{
	if (start != 0 && start < end && work_.takes_range())
		ranges_.push_back({start, end, unit});
}

void
dwarf_units::settle()
{
	std::stable_sort(ranges_.begin(), ranges_.end(),
	    [](const range &a, const range &b) { return a.start < b.start; });
}

void
dwarf_units::read_aranges()
{
	Dwarf_Aranges *list;
	std::size_t count;
	if (dwarf_getaranges(dwarf_, &list, &count) != 0)
		return;
	for (std::size_t i = 0; i < count; i++) {
		Dwarf_Addr start;
		Dwarf_Word length;
		Dwarf_Off unit;
		if (dwarf_getarangeinfo(dwarf_onearange(list, i), &start,
		    &length, &unit) == 0)
			add(start, start + length, unit);
	}
	settle();
}

void
dwarf_units::read_the_rest()
{
	std::unordered_set<Dwarf_Off> known;
	for (const range &r : ranges_)
		known.insert(r.unit);
	Dwarf_CU *cu = nullptr;
	Dwarf_Die die;
	std::uint8_t type;
	while (work_.goes_on() && dwarf_get_units(dwarf_, cu, &cu, nullptr,
	    &type, &die, nullptr) == 0) {
		const Dwarf_Off unit = dwarf_dieoffset(&die);
		if ((type != DW_UT_compile && type != DW_UT_skeleton) ||
		    known.contains(unit))
			continue;
		Dwarf_Addr base, start, end;
		for (std::ptrdiff_t at = 0;
		    work_.goes_on() &&
		    (at = dwarf_ranges(&die, at, &base, &start, &end)) > 0;)
			add(start, end, unit);
	}
	settle();
}

} // namespace stack9
