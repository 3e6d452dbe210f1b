// Opens a file's debug information wherever it is: in the file, in a debug
// file, or on a server.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "opened_dwarf.h"

#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <gelf.h>

#include "budgets/left_out.h"
#include "core/seam/file_notes.h"
#include "process/each_section.h"

namespace stack9 {
namespace {

using unique_dwarf = std::unique_ptr<Dwarf, dwarf_ender>;

// True if a section that libdw would read is still compressed: by zstd (libelf
// 0.189 and later can unpack it) or in a way that came later.
bool
stays_packed(Elf *elf) noexcept
{
	return process::find_named_section(-1, elf, [](Elf_Scn *s,
	    const GElf_Shdr &h, std::string_view name) {
		GElf_Chdr packed;
		return (h.sh_flags & SHF_COMPRESSED) != 0 &&
		    name.starts_with(".debug_") &&
		    gelf_getchdr(s, &packed) != nullptr &&
		    packed.ch_type != ELFCOMPRESS_ZLIB;
	});
}

// libdw (0.188) reads strings of the line table up to their NUL, even beyond a
// section that has no NUL at its end.
bool
strings_end(Elf *elf) noexcept
{
	std::size_t names;
	return process::find_names(-1, elf, names) &&
	    !process::find_named_section(-1, elf, [](Elf_Scn *s,
	    const GElf_Shdr &, std::string_view name) {
		if (name.find("debug") == name.npos ||
		    name.find("_str") == name.npos ||
		    name.find("_offsets") != name.npos)
			return false;
		const Elf_Data *const d = elf_getdata(s, nullptr);
		return d != nullptr && d->d_buf != nullptr && d->d_size != 0 &&
		    static_cast<const char *>(d->d_buf)[d->d_size - 1] != '\0';
	});
}

// By itself libdw ends the process when there is no memory.  clang sees GNU's
// attribute as a part of the type, [[noreturn]] not.
__attribute__((noreturn)) void
find_no_memory()
{
	throw std::bad_alloc();
}

// All sections are read and unpacked by then.  libdw gets no descriptor, by
// which it would find the file's name, and open what is beside it.
unique_dwarf
begin(const opened_elf &f, const std::string &name, budgets::share &share)
{
	std::uint64_t size;
	Elf *const elf = f.elf.get();
	if (!process::read_debug_sections(f.fd.get(), elf, size) ||
	    !share.take(size)) {
		leave_out(budgets::left_out::debug_sections);
		return nullptr;
	}
	if (stays_packed(elf))
		the_file_notes.add(lacking::readable_sections, name);
	elf_cntl(elf, ELF_C_FDDONE);
	unique_dwarf d(dwarf_begin_elf(elf, DWARF_C_READ, nullptr));
	if (d != nullptr)
		dwarf_new_oom_handler(d.get(), find_no_memory);
	return d != nullptr && strings_end(elf) ? std::move(d) : nullptr;
}

// Sections without units remain of stripped information.
bool
has_units(Dwarf *d)
{
	Dwarf_CU *cu = nullptr;
	return d != nullptr && dwarf_get_units(d, cu, &cu, nullptr, nullptr,
	    nullptr, nullptr) == 0;
}

// Sets the file that dwz moved common parts to.
void
use_alternate(opened_dwarf &d, Dwarf *main, const opened_elf &of)
{
	bool wanted = false;
	d.alternate_file = open_alternate(main, of.elf.get(), of.path, wanted);
	if (d.alternate_file)
		d.alternate = begin(d.alternate_file, d.alternate_file.path,
		    d.share);
	if (d.alternate && stop_search(d.alternate.get(), d.nothing))
		dwarf_setalt(main, d.alternate.get());
	else if (wanted)
		the_file_notes.add(lacking::common_file,
		    of.path.empty() ? d.path : of.path);
}

// True: it has the sections that were looked for.
bool
use(opened_dwarf &to, opened_elf from)
{
	if (!from)
		return false;
	budgets::share share;
	unique_dwarf d = begin(from, from.path.empty() ? to.path : from.path,
	    share);
	if (!has_units(d.get()) || !stop_search(d.get(), to.nothing))
		return false;
	to.share = std::move(share);
	use_alternate(to, d.get(), from);
	to.file = std::move(from);
	to.dwarf = std::move(d);
	return true;
}

// A package has the name of the file that refers to it, or of the program
// whose debug file that is.
void
look_for_package(opened_dwarf &d, const process::file &f)
{
	d.package.look_beside(d.file.path, d.file.fd.get(), ".dwp");
	d.package.look_beside(f.path(), f.fd(), ".dwp");
	d.package.look_beside(f.path(), f.fd(), ".debug.dwp");
}

opened_elf
open_own(const process::file &f)
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
open_dwarf(process::file &f, bool fetch)
{
	opened_dwarf d;
	d.path = f.path();
	if (!use(d, open_own(f))) {
		opened_elf debug;
		if (const opened_elf own = open_own(f)) {
			debug = open_debug_file(own.fd.get(), own.elf.get(),
			    f.build_id(), f.path());
		} else if (f.fd() < 0) {
			std::lock_guard hold(f.lock());
			debug = open_debug_file(-1, f.elf(), f.build_id(),
			    f.path());
		}
		if (!use(d, std::move(debug)) && fetch)
			use(d, fetch_debug_file(f.build_id()));
	}
	if (d)
		look_for_package(d, f);
	return d;
}

} // namespace stack9
