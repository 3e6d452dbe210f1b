// Makes texts for people.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "print_text.h"

#include <cinttypes>
#include <cstdio>

namespace stack9 {
namespace {

constexpr const char *nowhere = "what is not mapped";

int
keep_module(void *arg, const stack9_frame *f)
{
	std::string &to = *static_cast<std::string *>(arg);
	to = f->start == 0 && f->vaddr == 0 ? nowhere : f->module[0] == '\0' ?
	    "memory of no file" : printable(base_name(f->module));
	return 0;
}

// Names the place of the outermost frame.
std::string
last_module(const stack9_stack &s)
{
	const bool exact = s.depth == 1 && (s.flags & STACK9_STACK_EXACT) != 0;
	std::string text = "it";
	stack9_frame_at(s.space, s.pcs[s.depth - 1], STACK9_FRAMES_LINKAGE |
	    (exact ? 0 : STACK9_FRAMES_RETURN), keep_module, &text);
	return text;
}

// Other reasons why a walk stopped say more.
bool
is_without_info(const stack9_stack &s) noexcept
{
	return std::string_view(s.reason).find("no unwind information") !=
	    std::string_view::npos;
}

} // namespace

std::string
hex(std::uint64_t n)
{
	char text[24];
	std::snprintf(text, sizeof text, "%#" PRIx64, n);
	return n == 0 ? "0x0" : text;
}

std::string
address(std::uint64_t n)
{
	char text[24];
	std::snprintf(text, sizeof text, "0x%016" PRIx64, n);
	return text;
}

std::string_view
base_name(std::string_view path) noexcept
{
	return path.substr(path.rfind('/') + 1);
}

std::string
stop_reason_of(const stack9_stack &s)
{
	if (s.why == STACK9_WHY_TRUNCATED) {
		std::string text = "truncated at " + std::to_string(s.depth);
		if (s.dropped != 0)
			text += ", " + std::to_string(s.dropped) + " more";
		if (s.reason != std::string_view("truncated"))
			text.append(": ").append(s.reason);
		return text;
	}
	if (s.side == STACK9_USER && s.why == STACK9_WHY_UNWIND &&
	    s.pcs != nullptr && s.pcs[s.depth - 1] != 0) {
		const std::string where = last_module(s);
		return is_without_info(s) ?
		    "stopped: no unwind information in " + where :
		    (where == nowhere ? "stopped" : "stopped in " + where) +
		    ": " + s.reason;
	}
	if (s.side == STACK9_USER && s.why == STACK9_WHY_REGISTERS)
		return "stopped: needs registers that are not known here";
	if (s.side == STACK9_USER && s.why == STACK9_WHY_NONE &&
	    (s.flags & STACK9_STACK_GUESSED) != 0)
		return "complete, by frame pointers in part";
	return s.why == STACK9_WHY_NONE ? stack9_why_text(STACK9_WHY_NONE) :
	    s.reason;
}

} // namespace stack9
