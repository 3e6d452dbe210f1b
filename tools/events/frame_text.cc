// Writes the address, name, distance, module and line of a frame, as far as
// they are asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frames.h"

#include <string>

#include "tools/lib/modules.h"
#include "tools/lib/text.h"

namespace events {
namespace {

using profiles::frame_kind;
using tools::append;
using tools::printable;

// The module of the kernel itself is not printed.
std::string
module_of(const profiles::frame &f, bool whole)
{
	if (f.module.empty() || (f.kind == frame_kind::kernel &&
	    f.module == "vmlinux"))
		return "";
	return "  [" + printable(whole ? f.module :
	    tools::base_name(f.module)) + "]";
}

std::string
site_of(const profiles::frame &f, bool whole)
{
	if (f.file.empty())
		return "";
	const std::string file = whole ? f.file : tools::base_name(f.file);
	return "  " + printable(file) +
	    (f.line == 0 ? "" : ":" + std::to_string(f.line));
}

bool
is_code(const profiles::frame &f)
{
	return f.kind == frame_kind::kernel || f.kind == frame_kind::user ||
	    f.kind == frame_kind::inlined;
}

} // namespace

void
write_frame(fmt::memory_buffer &out, const profiles::frame &f,
    std::uint64_t pc, const options &o)
{
	if (!is_code(f)) {
		out.append(printable(f.name));
		return;
	}
	const bool inlined = f.kind == frame_kind::inlined;
	// A frame without a name is an address, and has no distance from a
	// start.
	const bool named = f.name.compare(0, 2, "0x") != 0;
	if (o.addresses)
		append(out, "{:#018x}  ", pc);
	out.append(printable(f.name));
	if (o.offsets && named && !inlined)
		append(out, "+{:#x}", f.offset);
	out.append(std::string_view(inlined ? " (inlined)" : ""));
	out.append(module_of(f, o.addresses));
	out.append(site_of(f, o.addresses));
}

} // namespace events
