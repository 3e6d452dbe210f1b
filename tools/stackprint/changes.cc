// Prints how the stacks of a thread have changed.  Stacks change at their inner
// ends, so the outer frames that are as before are only counted.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "changes.h"

#include <string>
#include <string_view>
#include <vector>

#include "columns.h"
#include "tools/lib/json.h"
#include "tools/lib/text.h"
#include "tools/lib/words.h"

namespace stackprint {
namespace {

std::string
frame_text(const place &p, const view &how)
{
	std::string text = p.known() ? p.text : how.withheld ? "??" :
	    fmt::format("??  {:#018x}", p.pc);
	if (!p.file_text.empty())
		text += "  " + p.file_text;
	if (p.own().kind == frame_kind::language)
		text += "  " + p.as_shown.back().site;
	return text;
}

// Innermost first.  A side without a stack has one line that says why.
std::vector<std::string>
lines_of(const sample &of, const stack &s, const view &how)
{
	std::vector<std::string> lines;
	if (s.error != 0)
		lines.push_back("none: " + none_because(of, s));
	std::vector<const place *> places;
	if (!s.pcs.empty())
		how.all.of_stack(s, places);
	for (const place *p : places)
		lines.push_back(frame_text(*p, how));
	for (const char *const line : s.text)
		lines.push_back(printable(line));
	return lines;
}

struct change {
	std::vector<std::string> before, now;
	std::size_t	common = 0;	// outer frames

	change(std::vector<std::string> b, std::vector<std::string> n)
	    : before(std::move(b)), now(std::move(n))
	{
		while (common < before.size() && common < now.size() &&
		    before[before.size() - 1 - common] ==
		    now[now.size() - 1 - common])
			common++;
	}
};

void
put_side(fmt::memory_buffer &out, std::string_view side, const change &c)
{
	std::string_view first = side;
	const auto put = [&](const char *sign, const std::string &text) {
		append(out, "{}{}{}\n", first, sign, text);
		first = margin;
	};
	for (std::size_t i = 0; i + c.common < c.before.size(); i++)
		put("- ", c.before[i]);
	for (std::size_t i = 0; i + c.common < c.now.size(); i++)
		put("+ ", c.now[i]);
	if (c.common != 0)
		put("  ", amount(c.common, "frame") + " as before");
}

// Calls f for each side that has changed, as the library compares them: it has
// captured all samples of a tracker.
template <class F>
void
each_change(const sample &before, const sample &now,
    const view &how, F f)
{
	const stack9_sample &was = *before.captured, &is = *now.captured;
	const auto side = [&](const char *name, const std::optional<stack> &a,
	    const std::optional<stack> &b) {
		if (a.has_value() && b.has_value())
			f(name, change(lines_of(before, *a, how),
			    lines_of(now, *b, how)));
	};
	if (!stack9_stack_same(was.kernel, is.kernel))
		side("kernel", before.kernel, now.kernel);
	if (!is_kernel_thread(now) && !stack9_stack_same(was.user, is.user))
		side("user", before.user, now.user);
}

} // namespace

void
put_changes(fmt::memory_buffer &out, const sample &before,
    const sample &now, const view &how)
{
	each_change(before, now, how, [&](const char *side, const change &c) {
		put_side(out, fmt::format("  {:<8}", side), c);
	});
}

std::string
change_members(const sample &before, const sample &now,
    const view &how)
{
	std::string text;
	each_change(before, now, how, [&](const char *side, const change &c) {
		text += fmt::format("{}\"{}\":{{\"as_before\":{},\"gone\":[",
		    text.empty() ? "" : ",", side, c.common);
		for (std::size_t i = 0; i + c.common < c.before.size(); i++)
			text += fmt::format("{}{{{}}}", i ? "," : "",
			    json_member("name", c.before[i]));
		text += "]}";
	});
	return ",\"change\":{" + text + "}";
}

} // namespace stackprint
