// Makes the table by reading all entries of a section.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frame_index.h"

#include <algorithm>

#include "budgets/budgets.h"
#include "unwind/cfi_entry.h"

namespace stack9::process {

// Functions that the linker discarded begin at 0 and are left out.  A sort that
// takes memory for a copy would take as much as the table.
frame_index::frame_index(const unwind::cfi_section &s)
{
	using namespace unwind;
	std::size_t last = s.bytes.size();	// where the CIE in common is
	cie common;
	bool good = false;
	for (std::size_t at = 0; at < s.bytes.size();) {
		const unwind::entry e = read_entry(s, at);
		if (e.what == unwind::entry::bad ||
		    (e.what == unwind::entry::terminator && !s.debug_frame))
			break;
		fde function;
		if (e.what == unwind::entry::is_fde && e.cie_offset != last) {
			common = {};
			last = e.cie_offset;
			good = read_cie(s, last, common);
		}
		if (e.what == unwind::entry::is_fde && good &&
		    read_fde(s, e, common, function) && function.begin != 0) {
			if (budgets::exceeds(entries_.size() + 1,
			    budgets::indexed_functions)) {
				entries_ = {};
				is_beyond_ = true;
				return;
			}
			entries_.push_back({function.begin, at});
		}
		at = e.next;
	}
	std::sort(entries_.begin(), entries_.end(),
	    [](const entry &a, const entry &b) {
		return a.begin != b.begin ? a.begin < b.begin : a.fde < b.fde;
	});
}

std::vector<frame_index::entry>::const_iterator
frame_index::behind(std::uintptr_t address) const noexcept
{
	return std::upper_bound(entries_.begin(), entries_.end(), address,
	    [](std::uintptr_t a, const entry &e) { return a < e.begin; });
}

bool
frame_index::find(std::uintptr_t address, std::size_t &fde) const noexcept
{
	const auto next = behind(address);
	if (next == entries_.begin())
		return false;
	fde = std::prev(next)->fde;
	return true;
}

bool
frame_index::find_all(std::uintptr_t from, std::uintptr_t to, std::size_t most,
    std::vector<unwind::fde_place> &all) const
{
	auto first = behind(from);
	first -= first != entries_.begin();
	const auto last = std::lower_bound(first, entries_.end(), to,
	    [](const entry &e, std::uintptr_t a) { return e.begin < a; });
	all.clear();
	if (static_cast<std::size_t>(last - first) > most)
		return false;
	all.assign(first, last);
	return true;
}

} // namespace stack9::process
