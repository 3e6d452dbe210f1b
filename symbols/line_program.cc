// Reads the length that a line program begins with.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "dwarf_unit.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <dwarf.h>
#include <gelf.h>

#include "process/elf_parts.h"

namespace stack9 {
namespace {

Elf_Data *
line_section(Elf *elf) noexcept
{
	std::size_t names;
	if (!process::find_names(-1, elf, names))	// it was read
		return nullptr;
	for (Elf_Scn *s = nullptr; (s = elf_nextscn(elf, s)) != nullptr;) {
		GElf_Shdr h;
		const char *const name = gelf_getshdr(s, &h) == nullptr ?
		    nullptr : elf_strptr(elf, names, h.sh_name);
		if (name != nullptr && (name ==
		    std::string_view(".debug_line") || name ==
		    std::string_view(".zdebug_line")))
			return elf_getdata(s, nullptr);
	}
	return nullptr;
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
	// The largest one says that the length is in the 8 bytes behind it.
	return length == UINT32_MAX ? d->d_size - at :
	    std::min<std::uint64_t>(length, d->d_size - at);
}

} // namespace stack9
