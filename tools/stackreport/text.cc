// Prints stacks as stackprint does: the kernel's frames above the user's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

#include <algorithm>

#include <fmt/format.h>

#include "tools/lib/text.h"
#include "tools/lib/time_text.h"
#include "tools/profiles/words.h"

namespace stackreport {
namespace {

using profiles::frame_kind;
using stackprint::printable;

constexpr std::uint64_t usual_top = 20;

std::string
file_of(const profiles::frame &f)
{
	return f.kind == frame_kind::user && !f.module.empty() ? "  " +
	    printable(f.module.substr(f.module.rfind('/') + 1)) : "";
}

} // namespace

std::string
stack_text(const profiles::profile &p, const std::vector<std::uint32_t> &list)
{
	std::string text;
	frame_kind last = frame_kind::process;
	for (auto at = list.rbegin(); at != list.rend(); ++at) {
		const profiles::frame &f = p.frames[*at];
		if (f.kind == frame_kind::process)
			continue;
		const bool same = f.kind == last;
		last = f.kind;
		text += fmt::format("  {:8}{}{}\n", same ? "" :
		    f.kind == frame_kind::kernel ? "kernel" :
		    f.kind == frame_kind::user ? "user" : "",
		    printable(profiles::name_of(f)), file_of(f));
	}
	return text;
}

std::string
top_text(const profiles::profile &p, const options &o, std::uint64_t ticks)
{
	std::uint64_t total = 0, shown = 0;
	std::string text;
	for (const profiles::stack &s : p.stacks)
		total += s.weight;
	const std::uint64_t most = o.top != 0 ? o.top : usual_top;
	for (auto s = p.stacks.rbegin(); s != p.stacks.rend() &&
	    shown < most; ++s, shown++) {
		const profiles::frame &first = p.frames[s->frames.front()];
		text += fmt::format("{:.1f} %  {}  {:.1f} at a time  {}\n{}\n",
		    100.0 * static_cast<double>(s->weight) /
		    static_cast<double>(total),
		    stackprint::amount(s->weight, "sample"),
		    static_cast<double>(s->weight) /
		    static_cast<double>(ticks),
		    first.kind == frame_kind::process ? printable(first.name) :
		    "", stack_text(p, s->frames));
	}
	return text + fmt::format("{} of {} in {}, {} from {}\n",
	    stackprint::amount(total, "sample"),
	    stackprint::amount(p.stacks.size(), "stack"),
	    stackprint::amount(ticks, "tick"),
	    stackprint::duration_text(p.took_ns), ticks == 0 ? "nowhere" :
	    stackprint::moment_text(static_cast<std::int64_t>(p.began_ns)));
}

std::string
innermost(const recording::segment &s, std::uint32_t stack, bool raw)
{
	if (stack == 0)
		return {};
	for (const std::uint32_t n : s.stack_of(stack).frames) {
		const recording::frame &f = s.frame_of(n);
		if (!f.name.empty() && !stackprint::is_scheduler(f.name))
			return printable(raw || f.readable.empty() ? f.name :
			    f.readable);
	}
	return {};
}

} // namespace stackreport
