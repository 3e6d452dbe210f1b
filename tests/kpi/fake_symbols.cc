// Looks names up in the scripted symbol table.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "fake_symbols.h"

#include <cerrno>
#include <cstring>

#include "core/seam/symbols.h"

namespace fake {
namespace {

const symbol *first;
int count;

int
find(std::uintptr_t pc, bool return_address, int fails,
    stack9::symbol_name &sym)
{
	if (always_fails != 0 || fails != 0)
		return always_fails != 0 ? always_fails : fails;
	const std::uintptr_t at = pc - (return_address ? 1 : 0);
	for (const symbol *s = first; s < first + count; s++)
		if (at >= s->start && at - s->start < s->size) {
			std::strncpy(sym.name, s->name, sizeof sym.name - 1);
			sym.name[sizeof sym.name - 1] = '\0';
			sym.module[0] = '\0';
			sym.offset = pc - s->start;
			sym.size = s->size;
			return 0;
		}
	return ENOENT;
}

} // namespace

void
symbols(const symbol *table, int n)
{
	first = table;
	count = n;
}

} // namespace fake

namespace stack9 {

int
kallsyms_find(std::uintptr_t pc, bool ra, symbol_name &sym) noexcept
{
	return fake::find(pc, ra, 0, sym);
}

int
kallsyms_find_nowait(std::uintptr_t pc, bool ra, symbol_name &sym) noexcept
{
	return fake::find(pc, ra, fake::nowait_fails, sym);
}

int
kallsyms_readable() noexcept
{
	return 0;
}

bool
kallsyms_loaded() noexcept
{
	return true;
}

int
elf_find(std::uintptr_t pc, bool ra, symbol_name &sym) noexcept
{
	return fake::find(pc, ra, 0, sym);
}

int
elf_find_nowait(std::uintptr_t pc, bool ra, symbol_name &sym) noexcept
{
	return fake::find(pc, ra, fake::nowait_fails, sym);
}

void
elf_learn_nowait(std::span<const std::uintptr_t>, bool) noexcept
{
}

int
space_find(stack9_space &, std::uintptr_t pc, bool ra, symbol_name &sym)
    noexcept
{
	return fake::find(pc, ra, 0, sym);
}

int
space_lines(stack9_space &, std::uintptr_t, unsigned int, source_line_fn *,
    void *) noexcept
{
	return ENOENT;
}

int
demangle(const char *, char *, std::size_t) noexcept
{
	return ENOENT;
}

} // namespace stack9
