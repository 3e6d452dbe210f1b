// Looks at sections before libdw does.  libdw runs a program to its end,
// whatever it costs, and copies all rules of a frame to remember a state.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ia32_sections.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include <gelf.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "process/each_section.h"

namespace stack9::remote {
namespace {

using budgets::left_out;
using process::file;

constexpr std::uint32_t entry_max = budgets::unwind_program / 4;

bool
entries_are_short(const Elf_Data &data) noexcept
{
	const auto *const bytes = static_cast<const char *>(data.d_buf);
	std::uint32_t length = 0;
	for (std::size_t at = 0; bytes != nullptr &&
	    data.d_size - at >= sizeof length; at += sizeof length + length) {
		std::memcpy(&length, bytes + at, sizeof length);
		if (budgets::exceeds(length, entry_max))
			return false;
		if (length > data.d_size - at - sizeof length)
			break;		// libdw stops there, too
	}
	return true;
}

struct answer {
	bool	found = false;
	bool	good = true;	// every one of that name
};

answer
look_at(int fd, Elf *elf, std::string_view wanted, bool has_entries) noexcept
{
	answer a;
	process::find_named_section(fd, elf, [&](Elf_Scn *s, const GElf_Shdr &,
	    std::string_view name) {
		if (name != wanted)
			return false;
		bool beyond = false;
		const Elf_Data *const data = process::read_section(fd, s,
		    budgets::unwind_info, beyond);
		a.found = true;
		a.good = a.good && !beyond && (data == nullptr ||
		    !has_entries || entries_are_short(*data));
		return false;
	});
	return a;
}

} // namespace

// Without the section's header libdw would read the whole file.
Dwarf_CFI *
open_eh_frame(const file &f) noexcept
{
	const answer header = look_at(f.fd(), f.elf(), ".eh_frame_hdr", false);
	const answer frames = look_at(f.fd(), f.elf(), ".eh_frame", true);
	if (!header.good || !frames.good) {
		leave_out(left_out::unwind_tables);
		return nullptr;
	}
	return frames.found || f.fd() < 0 ? dwarf_getcfi_elf(f.elf()) :
	    nullptr;
}

void
open_debug_frame(const file &f, opened_debug &to) noexcept
{
	std::uint64_t size;
	if (f.fd() >= 0)
		to.elf.reset(process::begin_elf(f.fd()));
	if (to.elf == nullptr)
		return;
	if (!process::read_debug_sections(f.fd(), to.elf.get(), size) ||
	    !look_at(f.fd(), to.elf.get(), ".debug_frame", true).good ||
	    !look_at(f.fd(), to.elf.get(), ".zdebug_frame", true).good ||
	    !to.share.take(size)) {
		leave_out(left_out::unwind_tables);
		to.elf.reset();
		return;
	}
	elf_cntl(to.elf.get(), ELF_C_FDDONE);
	to.dwarf.reset(dwarf_begin_elf(to.elf.get(), DWARF_C_READ, nullptr));
}

} // namespace stack9::remote
