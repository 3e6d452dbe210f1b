// Writes the frames of a stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frames.h"

#include <cerrno>

#include "core/seam/stop_reason.h"
#include "core/seam/symbols.h"
#include "unwind/module.h"
#include "unwind/steps.h"

namespace stack9::crash {
namespace {

std::string_view
file_of(const unwind::loaded_module &module) noexcept
{
	const char *const path = module.path;
	std::string_view name(path[0] != '\0' ? path :
	    program_invocation_short_name);
	name.remove_prefix(name.rfind('/') + 1);
	return name;
}

// The offset in the module is written even where the function has no name, so
// that somebody who has the file can name it.
void
write_frame(text &to, std::uintptr_t pc, bool exact) noexcept
{
	symbol_name sym;
	unwind::loaded_module module;
	to << "    user    ";
	to.hex(pc, 16);
	const bool named = elf_find_nowait(pc, !exact, sym) == 0;
	if (named)
		(to << " ").name(sym.name) << "+", to.hex(sym.offset);
	if (unwind::find_module(pc - !exact, module)) {
		to << (named ? " " : " ?? ");
		to.name(named ? sym.module : file_of(module)) << "+";
		to.hex(pc - module.begin);
	}
	to << "\n";
}

} // namespace

void
write_frames(text &to, std::span<const std::uintptr_t> pcs,
    const unwind::walked &w) noexcept
{
	const auto n = static_cast<std::uint32_t>(pcs.size());
	for (std::uint32_t i = 0; i < n; i++) {
		if (i == frames_inner && n > frames_inner + frames_outer) {
			to << "    ... " << std::int64_t{n - frames_inner -
			    frames_outer} << " frames ...\n";
			i = n - frames_outer;
		}
		write_frame(to, pcs[i], i == 0 ||
		    (i > 1 && unwind::is_signal_frame(pcs[i - 1])));
		to.flush();
	}
	if (w.dropped != 0)
		to << "    and " << std::int64_t{w.dropped} <<
		    " frames or more\n";
	const stop_reason end = stop_reason_of(w.how);
	if (end.reason != nullptr)
		to << "    incomplete: " << end.reason << "\n";
	else if (w.guessed)
		to << "    in part by frame pointers\n";
}

} // namespace stack9::crash
