// Prints stacks as stackprint does: the kernel's frames above the user's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

#include <algorithm>

#include <fmt/format.h>

#include "tools/lib/modules.h"
#include "tools/lib/text.h"
#include "tools/lib/time_text.h"
#include "tools/profiles/words.h"
#include "tools/record/model_frames.h"

namespace stackreport {
namespace {

using profiles::frame_kind;
using tools::printable;

constexpr std::size_t most_of_name = 500;	// in a line

std::string
file_of(const profiles::frame &f)
{
	if (f.kind == frame_kind::language)
		return "  " + printable(tools::site_of(f, false));
	return f.kind == frame_kind::user && !f.module.empty() ? "  " +
	    printable(tools::base_name(f.module)) +
	    tools::deleted_mark(f) : "";
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
		text += fmt::format("  {:7} {}{}\n", same ? "" :
		    f.kind == frame_kind::kernel ? "kernel" :
		    f.kind == frame_kind::user ? "user" :
		    printable(f.language),
		    printable(profiles::name_of(f)), file_of(f));
	}
	return text;
}

std::string
top_text(const profiles::profile &p, const totals &all)
{
	std::string text;
	const std::string unit = p.unit.substr(0, p.unit.size() - 1);
	const auto whole = static_cast<double>(
	    std::max<std::uint64_t>(all.weight, 1));
	for (auto s = p.stacks.rbegin(); s != p.stacks.rend(); ++s) {
		const profiles::frame &first = p.frames[s->frames.front()];
		text += fmt::format("{:.1f} %  {}{}  {}\n{}\n",
		    100.0 * static_cast<double>(s->weight) / whole,
		    tools::amount(s->weight, unit.c_str()),
		    unit != "sample" ? "" : fmt::format("  {:.1f} at a time",
		    static_cast<double>(s->weight) /
		    static_cast<double>(all.ticks)),
		    first.kind == frame_kind::process ? printable(first.name) :
		    "", stack_text(p, s->frames));
	}
	return text + fmt::format("{} of {} in {}, {} from {}{}{}\n",
	    tools::amount(all.weight, unit.c_str()),
	    tools::amount(all.stacks, "stack"),
	    tools::amount(all.ticks, "tick"),
	    tools::duration_text(p.took_ns),
	    tools::moment_text(static_cast<std::int64_t>(p.began_ns)),
	    p.note.empty() ? "" : "; ", p.note);
}

std::string
wait_text(const recording::wait *w)
{
	if (w == nullptr)
		return {};
	std::string text = printable(w->kind == "system call" &&
	    !w->call.empty() ? w->call : w->kind);
	if (!w->object.empty())
		text += ": " + printable(w->object.substr(0, most_of_name));
	if (!w->place.empty())
		text += " (" + printable(w->place.substr(0, most_of_name)) +
		    ")";
	if (w->holder != 0)
		text += fmt::format(", held by tid {}", w->holder);
	return text;
}

std::string
innermost(const recording::segment &s, std::uint32_t stack, bool raw)
{
	if (stack == 0)
		return {};
	for (const std::uint32_t n : s.stack_of(stack).frames) {
		const recording::frame &f = s.frame_of(n);
		if (!f.name.empty() && !tools::is_scheduler(f.name))
			return printable((raw || f.readable.empty() ? f.name :
			    f.readable).substr(0, most_of_name));
	}
	return {};
}

std::string
innermost_written(const recording::segment &s, std::uint32_t stack)
{
	if (stack == 0)
		return {};
	for (const std::uint32_t n : s.stack_of(stack).frames) {
		if (s.frame_of(n).kind != recording::frame_kind::language)
			continue;
		const profiles::frame f = recording::to_model(s, n);
		const std::string site = tools::site_of(f, false);
		return printable((profiles::name_of(f) + (site.empty() ? "" :
		    " (" + site + ")")).substr(0, most_of_name));
	}
	return {};
}

} // namespace stackreport
