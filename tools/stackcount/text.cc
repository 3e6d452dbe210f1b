// Writes one line for each frame.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stackcount.h"

#include "tools/events/frames.h"
#include "tools/lib/text.h"

namespace stackcount {
namespace {

using profiles::frame_kind;
using tools::append;

void
write_count(fmt::memory_buffer &out, const profiles::stack &s, bool weighed)
{
	if (weighed)
		append(out, "    {} us, {}\n\n", s.weight,
		    tools::amount(s.events, "event"));
	else
		append(out, "    {}\n\n", s.events);
}

} // namespace

void
write_text(fmt::memory_buffer &out, const profiles::profile &p,
    const events::frames &frames, const events::options &o)
{
	for (const profiles::stack &s : p.stacks) {
		for (auto f = s.frames.rbegin(); f != s.frames.rend(); ++f) {
			const bool process =
			    p.frames[*f].kind == frame_kind::process;
			out.append(std::string_view(process ? "    " : "  "));
			events::write_frame(out, p.frames[*f], frames.pc(*f),
			    o);
			out.push_back('\n');
		}
		write_count(out, s, o.is_offcpu());
	}
}

} // namespace stackcount
