// Goes through the sections of an ELF file.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

#include <gelf.h>

#include "elf_parts.h"

namespace stack9::process {

// Calls f(section, header) until it returns true.  Returns true if it did.
template <class F>
bool
find_section(Elf *elf, F f)
{
	GElf_Shdr h;
	for (Elf_Scn *s = nullptr; (s = elf_nextscn(elf, s)) != nullptr;)
		if (gelf_getshdr(s, &h) != nullptr && f(s, h))
			return true;
	return false;
}

// Does the same for those that have names, by f(section, header, name).  False,
// too: the names cannot be read (find_names()).  fd < 0: an image in memory, or
// a file whose sections were read.
template <class F>
bool
find_named_section(int fd, Elf *elf, F f)
{
	std::size_t names;
	return find_names(fd, elf, names) &&
	    find_section(elf, [&](Elf_Scn *s, const GElf_Shdr &h) {
		const char *const name = elf_strptr(elf, names, h.sh_name);
		return name != nullptr && f(s, h, std::string_view(name));
	});
}

} // namespace stack9::process
