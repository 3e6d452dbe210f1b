// Names frames by the memories in tools/lib/, and numbers them by tools/model/.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frames.h"

#include <fmt/format.h>

#include "tools/lib/samples.h"
#include "tools/lib/words.h"
#include "tools/model/from_library.h"

namespace events {
namespace {

using profiles::frame_kind;

tools::name_options
for_names(const options &o)
{
	tools::name_options names;
	names.raw_names = o.raw_names;
	names.inlines = o.inlines;
	names.lines = o.lines;
	names.debuginfod = o.debuginfod;
	names.addresses = o.addresses;
	return names;
}

} // namespace

frames::frames(const options &o, precision how,
    std::deque<profiles::frame> &all)
    : opt_(o), names_wanted_(for_names(o)), names_(names_wanted_),
      numbers_(all, how)
{
}

// Gives a sentence without the parts that differ from stack to stack.
std::string
frames::note(const tools::sample &of, const tools::stack &s)
{
	const bool user = s.side == STACK9_USER;
	if (s.error != 0)
		return fmt::format("[no {} stack: {}]",
		    user ? "user" : "kernel",
		    tools::none_because(of, s));
	if (s.why == STACK9_WHY_TRUNCATED)
		return user ? "[user stack truncated]" :
		    "[kernel stack truncated]";
	return "[" + tools::stop_reason(s, names_, true) + "]";
}

void
frames::add_place(const tools::place &p, list &to)
{
	const auto [it, fresh] = of_place_.try_emplace(&p);
	if (fresh)
		for (tools::frame f : p.frames) {
			if (opt_.raw_names)
				tools::keep_raw_name(f);
			it->second.push_back(numbers_.number(f, p.pc));
		}
	to.insert(to.end(), it->second.begin(), it->second.end());
}

// A whole stack needs no note.  Neither does a side that the thread does not
// have, if the other side is printed.
void
frames::add_notes(const tools::sample &of, const tools::stack &s, list &to)
{
	const bool absent = tools::is_absent(s);
	if (absent ? opt_.sides() != STACK9_BOTH :
	    s.error != 0 || s.why != STACK9_WHY_NONE)
		to.push_back(marker(frame_kind::note, note(of, s)));
}

void
frames::add(const tools::sample &of, const tools::stack &s, list &to)
{
	if (!s.pcs.empty()) {
		names_.of_stack(s, places_);
		for (const tools::place *const p : places_)
			add_place(*p, to);
	}
	add_notes(of, s, to);
}

void
frames::add(const stack9_sample &from, list &to)
{
	const tools::sample of = tools::from_library(from);
	if (of.kernel.has_value())
		add(of, *of.kernel, to);
	const std::size_t kernel = to.size();
	if (of.user.has_value())
		add(of, *of.user, to);
	if (opt_.delimiter && kernel != 0 && kernel != to.size())
		to.insert(to.begin() + static_cast<std::ptrdiff_t>(kernel),
		    marker(frame_kind::delimiter,
		    opt_.wakers.has_value() ? "-" : "--"));
	if (to.empty())
		to.push_back(marker(frame_kind::note, "[no stack]"));
}

} // namespace events
