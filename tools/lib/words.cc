// Chooses sentences and words for verdicts and errors.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "words.h"

#include <cerrno>

#include <fmt/format.h>

#include "modules.h"
#include "proc.h"
#include "stacks.h"
#include "text.h"

namespace stackprint {
namespace {

std::string
truncated(const stack9_record &rec)
{
	std::string text = fmt::format("truncated at {}", rec.depth);
	if (rec.dropped != 0)
		text += fmt::format(", {} more", rec.dropped);
	if (rec.reason != nullptr)
		text += fmt::format(": {}", rec.reason);
	return text;
}

// Names the place of the outermost frame.
std::string
last_module(const stack9_record &rec)
{
	stack9_module m;
	const bool exact = rec.depth == 1 && (rec.flags & STACK9_EXACT_FIRST);
	const std::uintptr_t at = rec.pcs[rec.depth - 1] - !exact;
	if (stack9_space_module(rec.space, at, &m) != 0)
		return "what is not mapped";
	return m.path[0] == '\0' ? "memory of no file" :
	    printable(base_name(m.path));
}

std::string
user_ending(const stack9_record &rec, bool stops)
{
	if (rec.why == STACK9_WHY_UNWIND && rec.space != nullptr)
		return "stopped: no unwind information in " + last_module(rec);
	if (rec.why == STACK9_WHY_REGISTERS)
		return std::string("stopped: needs registers that are not "
		    "known here") + (stops ? "" : "; --stop would find them");
	if (rec.why == STACK9_WHY_NONE && (rec.flags & STACK9_FRAME_POINTER))
		return "complete, by frame pointers in part";
	return reason(rec);
}

} // namespace

const char *
reason(const stack9_record &rec)
{
	return rec.reason != nullptr && rec.why != STACK9_WHY_NONE ?
	    rec.reason : stack9_why_text(rec.why);
}

std::string
none_because(const stack9_record &rec)
{
	if (rec.why != STACK9_WHY_TRACED || rec.tracer == 0)
		return reason(rec);
	const std::string name =
	    read_file(fmt::format("/proc/{}/comm", rec.tracer));
	return fmt::format("traced by pid {}{}", rec.tracer,
	    name.empty() ? "" : " (" + printable(name) + ")");
}

std::string
ending(const stack9_record &rec, bool stops)
{
	if (rec.why == STACK9_WHY_TRUNCATED)
		return truncated(rec);
	if (rec.side != STACK9_USER)
		return reason(rec);
	// The thread was stopped because no route that stops nobody is allowed.
	// A user who did not ask for that has to know.
	return user_ending(rec, stops) +
	    (!stops && is_by_ptrace(rec) ? ", stopped for the copy" : "");
}

const char *
word(enum stack9_why why)
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

} // namespace stackprint
