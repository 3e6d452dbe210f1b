// A header, the frames one below the other, and a word on completeness.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "show.h"

#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>
#include <vector>

#include "proc.h"
#include "text.h"

namespace stackprint {
namespace {

template <typename... T>
void
put(fmt::memory_buffer &out, fmt::format_string<T...> f, T &&...args)
{
	fmt::format_to(std::back_inserter(out), f, std::forward<T>(args)...);
}

std::vector<std::string_view>
lines_of(const stack9_record &rec)
{
	std::vector<std::string_view> lines;
	std::string_view rest = rec.text;
	while (!rest.empty() && lines.size() < rec.depth) {
		const auto end = std::min(rest.find('\n'), rest.size());
		lines.push_back(rest.substr(0, end));
		rest.remove_prefix(std::min(end + 1, rest.size()));
	}
	return lines;
}

bool
is_exact(const stack9_record &rec, std::uint32_t frame)
{
	return frame == 0 && (rec.flags & STACK9_EXACT_FIRST);
}

// The innermost function that is not the scheduler's; "" if none has a name.
std::string
waits_in(const stack9_record &rec, names &known)
{
	if (rec.error != 0)
		return {};
	if (rec.flags & STACK9_TEXT) {
		for (const std::string_view line : lines_of(rec))
			if (!is_scheduler(line))
				return printable(
				    line.substr(0, line.find('+')));
		return {};
	}
	for (std::uint32_t i = 0; i < rec.depth; i++) {
		const place &p = known.find(rec.pcs[i], is_exact(rec, i));
		if (p.known && !is_scheduler(p.function))
			return p.function;
	}
	return {};
}

void
put_header(fmt::memory_buffer &out, const stack9_record &rec, names &known,
    const view &how)
{
	put(out, "{}  pid {}  tid {}  {}", printable(rec.comm), rec.thread.pid,
	    rec.thread.tid, state_word(rec.state));
	if (std::strchr("SDI", rec.state) != nullptr) {
		std::string where = waits_in(rec, known);
		// Without a stack the kernel may still name the function, but
		// to whoever runs this, not to the rights of this file.
		if (rec.error != 0 && !how.borrowed)
			where = printable(wait_function(rec.thread.tid));
		if (!where.empty())
			put(out, " in {}", where);
	}
	if (rec.cpu >= 0)
		put(out, ", cpu {}", rec.cpu);
	put(out, "\n");
}

constexpr std::string_view first_margin = "  kernel  ";
constexpr std::string_view margin = "          ";

void
put_frame(fmt::memory_buffer &out, std::uintptr_t pc, const place &p,
    const view &how)
{
	if (how.withheld)
		put(out, "{}", p.known ? p.text : "??");
	else if (how.addresses)
		put(out, "{:#018x}  {}", pc, p.known ? p.text : "??");
	else if (p.known)
		put(out, "{}", p.text);
	else
		put(out, "??  {:#018x}", pc);
}

void
put_frames(fmt::memory_buffer &out, const stack9_record &rec, names &known,
    const view &how)
{
	const bool text = rec.flags & STACK9_TEXT;
	const auto lines = text ? lines_of(rec) :
	    std::vector<std::string_view>();
	for (std::uint32_t i = 0; i < rec.depth; i++) {
		put(out, "{}", i == 0 ? first_margin : margin);
		if (!text)
			put_frame(out, rec.pcs[i],
			    known.find(rec.pcs[i], is_exact(rec, i)), how);
		else if (i < lines.size())
			put(out, "{}", printable(lines[i]));
		put(out, "\n");
	}
}

void
cut(stack9_record &rec, unsigned int depth)
{
	if (rec.depth <= depth)
		return;
	rec.dropped += rec.depth - depth;
	rec.depth = depth;
	rec.why = STACK9_WHY_TRUNCATED;
	rec.reason = nullptr;
}

void
put_completeness(fmt::memory_buffer &out, const stack9_record &rec)
{
	put(out, "{}", margin);
	if (rec.why != STACK9_WHY_TRUNCATED) {
		put(out, "{}\n", reason(rec));
		return;
	}
	put(out, "truncated at {}", rec.depth);
	if (rec.dropped != 0)
		put(out, ", {} more", rec.dropped);
	if (rec.reason != nullptr)
		put(out, ": {}", rec.reason);
	put(out, "\n");
}

} // namespace

const char *
reason(const stack9_record &rec)
{
	return rec.reason != nullptr && rec.why != STACK9_WHY_NONE ?
	    rec.reason : stack9_why_text(rec.why);
}

void
show(fmt::memory_buffer &out, stack9_record &rec, names &known,
    const view &how)
{
	put_header(out, rec, known, how);
	if (rec.error != 0) {
		put(out, "{}none: {}\n", first_margin, reason(rec));
		return;
	}
	cut(rec, how.depth);
	put_frames(out, rec, known, how);
	put_completeness(out, rec);
}

} // namespace stackprint
