// Asks for each kernel name once and keeps it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names.h"

#include <cerrno>

#include <fmt/format.h>

#include "stacks.h"
#include "text.h"

namespace stackprint {

const place &
names::find(std::uintptr_t pc, bool exact)
{
	const auto [at, fresh] = places_[exact].try_emplace(pc);
	place &p = at->second;
	if (!fresh)
		return p;
	stack9_symbol sym;
	const int error = stack9_name(pc, exact ? 0 : STACK9_RETURN_ADDRESS,
	    &sym);
	p.pc = pc;
	p.known = error == 0;
	if (p.known) {
		p.function = sym.name;
		p.offset = sym.offset;
		p.module = sym.module;
		p.text = fmt::format("{}+{:#x}", printable(sym.name),
		    sym.offset);
		if (sym.module[0] != '\0')
			p.text += fmt::format("  [{}]", printable(sym.module));
	}
	hidden_ |= error == EPERM;
	return p;
}

void
names::ask(const stack9_record &rec)
{
	if (rec.error == 0 && !(rec.flags & STACK9_TEXT))
		for (std::uint32_t i = 0; i < rec.depth; i++)
			find(rec.pcs[i], is_exact(rec, i));
}

} // namespace stackprint
