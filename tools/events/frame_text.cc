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
	    f.module == tools::kernel_file))
		return "";
	return "  [" + printable(whole ? f.module :
	    tools::base_name(f.module)) + tools::deleted_mark(f) + "]";
}

} // namespace

void
write_frame(fmt::memory_buffer &out, const profiles::frame &f,
    std::uint64_t pc, const options &o)
{
	if (!tools::is_code(f)) {
		out.append(printable(f.name));
		return;
	}
	const bool inlined = f.kind == frame_kind::inlined;
	const bool is_address = f.kind != frame_kind::language;
	if (o.addresses && is_address)
		append(out, "{:#018x}  ", pc);
	else if (o.addresses)
		append(out, "{:>18}  ", printable(f.language));
	out.append(printable(tools::name_of(f)));
	if (o.offsets && is_address && !tools::is_nameless(f) && !inlined)
		append(out, "+{:#x}", f.offset);
	out.append(std::string_view(inlined ? " (inlined)" : ""));
	out.append(module_of(f, o.addresses));
	if (!f.file.empty())
		append(out, "  {}", printable(tools::site_of(f, o.addresses)));
}

} // namespace events
