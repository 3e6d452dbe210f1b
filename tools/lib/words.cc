// Chooses sentences and words for verdicts and errors.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "words.h"

#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "proc.h"
#include "surroundings.h"
#include "text.h"

namespace tools {
namespace {

std::string
truncated(const stack &s)
{
	std::string text = fmt::format("truncated at {}", s.depth());
	if (s.dropped != 0)
		text += fmt::format(", {} more", s.dropped);
	if (std::strcmp(s.reason, stack9_why_text(s.why)) != 0)
		text += fmt::format(": {}", s.reason);
	return text;
}

constexpr const char *nowhere = "what is not mapped";

// Names the place of the outermost frame.
std::string
last_module(const stack &s, names &all)
{
	const module *const m = all.find(s, s.depth() - 1).where;
	return m == nullptr ? nowhere :
	    m->name.empty() ? "memory of no file" : m->name;
}

// Other reasons why a walk stopped say more.
bool
is_without_info(const stack &s)
{
	return std::string_view(s.reason).find("no unwind information") !=
	    std::string_view::npos;
}

std::string
user_stop_reason(const stack &s, names &all, bool stops)
{
	if (s.why == STACK9_WHY_UNWIND && !s.pcs.empty()) {
		const std::string where = last_module(s, all);
		return is_without_info(s) ?
		    "stopped: no unwind information in " + where :
		    where == nowhere ? fmt::format("stopped: {}", s.reason) :
		    fmt::format("stopped in {}: {}", where, s.reason);
	}
	if (s.why == STACK9_WHY_REGISTERS)
		return std::string("stopped: needs registers that are not "
		    "known here") + (stops || is_of_core(s) ? "" :
		    "; --stop would find them");
	if (s.why == STACK9_WHY_NONE && (s.flags & STACK9_STACK_GUESSED))
		return "complete, by frame pointers in part";
	return reason(s);
}

} // namespace

const char *
reason(const stack &s)
{
	if (s.why == STACK9_WHY_GONE && !proc_is_mounted())
		return no_proc;
	return s.why != STACK9_WHY_NONE ? s.reason :
	    stack9_why_text(STACK9_WHY_NONE);
}

std::string
none_because(const sample &of, const stack &s)
{
	if (s.why != STACK9_WHY_TRACED || of.tracer == 0)
		return reason(s);
	const std::string name =
	    read_file(fmt::format("/proc/{}/comm", of.tracer));
	return fmt::format("traced by pid {}{}", of.tracer,
	    name.empty() ? "" : " (" + printable(name) + ")");
}

std::string
stop_reason(const stack &s, names &all, bool stops)
{
	if (s.why == STACK9_WHY_TRUNCATED)
		return truncated(s);
	if (s.side != STACK9_USER)
		return reason(s);
	// The thread was stopped because no route that stops nobody is allowed.
	// A user who did not ask for that has to know.
	return user_stop_reason(s, all, stops) +
	    (!stops && is_by_ptrace(s) ? ", stopped for the copy" : "");
}

const char *
word(int why)
{
	switch (why) {
	case STACK9_WHY_NONE:
		return "complete";
	case STACK9_WHY_USER_MODE:
		return "user_mode";
	case STACK9_WHY_ON_CPU:
		return "on_cpu";
	case STACK9_WHY_MOVED:
		return "moved";
	case STACK9_WHY_TORN:
		return "torn";
	case STACK9_WHY_REFUSED:
		return "refused";
	case STACK9_WHY_IDLE:
		return "idle";
	case STACK9_WHY_SILENT:
		return "silent";
	case STACK9_WHY_GONE:
		return "gone";
	case STACK9_WHY_REUSED:
		return "reused";
	case STACK9_WHY_ZOMBIE:
		return "zombie";
	case STACK9_WHY_EXITING:
		return "exiting";
	case STACK9_WHY_RIGHTS:
		return "rights";
	case STACK9_WHY_MACHINE:
		return "machine";
	case STACK9_WHY_RESOURCE:
		return "resource";
	case STACK9_WHY_TRUNCATED:
		return "truncated";
	case STACK9_WHY_REGISTERS:
		return "registers";
	case STACK9_WHY_UNWIND:
		return "unwind";
	case STACK9_WHY_KTHREAD:
		return "kthread";
	case STACK9_WHY_TRACED:
		return "traced";
	case STACK9_WHY_MEMORY:
		return "memory";
	case STACK9_WHY_LATE:
		return "late";
	case STACK9_WHY_AWAY:
		return "away";
	}
	return "unknown";
}

} // namespace tools
