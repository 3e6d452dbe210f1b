// Reads the functions of a loaded module from its debug file, or those that are
// packed in its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "elf_table.h"

#include <algorithm>

#include "debug_file.h"
#include "mini_symbols.h"

namespace stack9 {

bool
read_debug_table(const module_image &m, elf_table &table)
{
	const unique_fd fd = m.open_file(m.lo);
	const unique_elf elf = open_elf(fd.get());
	if (!elf)
		return false;
	opened_elf file = open_debug_file(fd.get(), elf.get(),
	    {m.id.data, std::min<std::size_t>(m.id.size, sizeof m.id.data)},
	    m.path);
	if (!file)
		file = open_mini_symbols(fd.get(), elf.get());
	if (file)
		table = elf_table(file.fd.get(), file.elf.get());
	return true;
}

} // namespace stack9
