// Reads the length that a line program begins with.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "dwarf_unit.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <dwarf.h>
#include <gelf.h>

#include "process/each_section.h"

namespace stack9 {
namespace {

Elf_Data *
line_section(Elf *elf) noexcept
{
	Elf_Data *data = nullptr;
	process::find_named_section(-1, elf, [&](Elf_Scn *s, const GElf_Shdr &,
	    std::string_view name) {
		if (name != ".debug_line" && name != ".zdebug_line")
			return false;
		data = elf_getdata(s, nullptr);
		return true;
	});
	return data;
}

} // namespace

std::uint64_t
line_program_size(Dwarf_Die &unit) noexcept
{
	Dwarf_Attribute a;
	Dwarf_Word at;
	if (dwarf_attr(&unit, DW_AT_stmt_list, &a) == nullptr ||
	    dwarf_formudata(&a, &at) != 0)
		return 0;
	const Elf_Data *const d = line_section(
	    dwarf_getelf(dwarf_cu_getdwarf(unit.cu)));
	std::uint32_t length;
	if (d == nullptr || d->d_buf == nullptr || d->d_size < sizeof length ||
	    at > d->d_size - sizeof length)
		return 0;
	std::memcpy(&length, static_cast<const char *>(d->d_buf) + at,
	    sizeof length);
	// The largest one says that the length is in the 8 bytes after it.
	return length == UINT32_MAX ? d->d_size - at :
	    std::min<std::uint64_t>(length, d->d_size - at);
}

} // namespace stack9
