// The memory of names.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names.h"

#include <cerrno>

#include <fmt/format.h>
#include <stack9.h>

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
	p.known = error == 0;
	if (p.known) {
		p.function = printable(sym.name);
		p.text = fmt::format("{}+{:#x}", p.function, sym.offset);
		if (sym.module[0] != '\0')
			p.text += fmt::format("  [{}]", printable(sym.module));
	}
	hidden_ |= error == EPERM;
	return p;
}

} // namespace stackprint
