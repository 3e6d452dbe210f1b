// Names functions of this process by the symbols that their files have,
// without a table of them: each new address costs a search of its file, and the
// cache of names has the others.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <new>

#include <stack9.h>

#include "core/seam/symbols.h"
#include "unwind/module.h"

#include "space.h"

namespace stack9 {

int
elf_find(std::uintptr_t pc, bool return_address, symbol_name &sym) noexcept
{
	if (!unwind::in_module(pc - return_address))
		unwind::renew_modules();
	return elf_find_nowait(pc, return_address, sym);
}

// A name that is longer than a record is cut.
int
space_function(stack9_space &s, std::uintptr_t pc, bool return_address,
    std::string &name, std::uintptr_t &offset, std::uintptr_t &size)
{
	symbol_name sym;
	if (s.find(pc - return_address) == nullptr)
		return ENOENT;
	const int error = elf_find(pc, return_address, sym);
	if (error != 0)
		return error;
	name = sym.name;
	offset = sym.offset;
	size = sym.size;
	return 0;
}

// Variables are in tables of files.
int
space_variable(stack9_space &, std::uintptr_t, std::string &, std::string &,
    std::uintptr_t &, std::uintptr_t &)
{
	return ENOENT;
}

void
space_place(stack9_space &s, std::uintptr_t pc, bool return_address,
    std::string &buffer, placed_function &f)
{
	place_by_parts(s, pc, return_address, buffer, f);
}

// Lines need elfutils.
int
space_lines(stack9_space &, std::uintptr_t, unsigned int, source_line_fn *,
    void *) noexcept
{
	return ENOENT;
}

} // namespace stack9

// There is nothing to do: no file of another process is read.
extern "C" int
stack9_read_apart(unsigned int flags)
{
	return (flags & ~(STACK9_APART_NAMES |
	    STACK9_APART_ONCE)) != 0 ? EINVAL : 0;
}
