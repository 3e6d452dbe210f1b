// Where debug information is.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "opened_dwarf.h"

#include <mutex>

#include <fcntl.h>

namespace stack9 {
namespace {

using unique_dwarf = std::unique_ptr<Dwarf, dwarf_ender>;

unique_dwarf
begin(Elf *elf) noexcept
{
	return unique_dwarf(dwarf_begin_elf(elf, DWARF_C_READ, nullptr));
}

// Sections without units are what remains of stripped information.
bool
has_units(Dwarf *d) noexcept
{
	Dwarf_CU *cu = nullptr;
	return d != nullptr && dwarf_get_units(d, cu, &cu, nullptr, nullptr,
	    nullptr, nullptr) == 0;
}

// True: it has what was looked for.
bool
use(opened_dwarf &to, opened_elf from)
{
	if (!from)
		return false;
	unique_dwarf d = begin(from.elf.get());
	if (!has_units(d.get()))
		return false;
	to.alternate_file = open_alternate(d.get(), from.path);
	if (to.alternate_file) {
		to.alternate = begin(to.alternate_file.elf.get());
		if (to.alternate)
			dwarf_setalt(d.get(), to.alternate.get());
	}
	to.file = std::move(from);
	to.dwarf = std::move(d);
	return true;
}

opened_elf
open_own(const spaces::file &f)
{
	opened_elf own{f.path(), {}, {}};
	if (f.fd() < 0)
		return own;
	own.fd = unique_fd(fcntl(f.fd(), F_DUPFD_CLOEXEC, 0));
	if (own.fd)
		own.elf = open_elf(own.fd.get());
	return own;
}

} // namespace

opened_dwarf
open_dwarf(spaces::file &f, bool fetch)
{
	opened_dwarf d;
	if (use(d, open_own(f)))
		return d;
	opened_elf debug;
	if (const opened_elf own = open_own(f)) {
		debug = open_debug_file(own.elf.get(), f.build_id(), f.path());
	} else if (f.fd() < 0) {
		std::lock_guard hold(f.lock());
		debug = open_debug_file(f.elf(), f.build_id(), f.path());
	}
	if (!use(d, std::move(debug)) && fetch)
		use(d, fetch_debug_file(f.build_id()));
	return d;
}

} // namespace stack9
