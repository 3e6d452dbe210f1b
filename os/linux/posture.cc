// Reads /proc/TID/syscall, status and schedstat.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "os/posture.h"

#include <cstring>

namespace stack9 {
namespace {

int
open_once(const proc_task &dir, const char *name, proc_file &f) noexcept
{
	return f.get() >= 0 ? 0 : f.open(dir.get(), name);
}

void
parse_lines(std::string_view lines, thread_status &s) noexcept
{
	const auto has = [&](const char *key) {
		return lines.find(key) != lines.npos;
	};
	if (const std::size_t at = lines.find("\nState:\t"); at != lines.npos &&
	    at + 8 < lines.size())
		s.state = lines[at + 8];
	if (has("\nTgid:"))
		s.pid = static_cast<pid_t>(number_behind(lines, "\nTgid:"));
	if (has("\nSigBlk:"))
		s.blocked = number_behind(lines, "\nSigBlk:", 16);
	for (const char *key : {"\nvoluntary_ctxt_switches:",
	    "\nnonvoluntary_ctxt_switches:"})
		s.switches += number_behind(lines, key);
}

} // namespace

int
posture_reader::read_registers(const proc_task &dir, posture &p) noexcept
{
	char buffer[512];
	std::string_view text;
	int error = open_once(dir, "syscall", syscall_);
	if (error == 0)
		error = syscall_.read_record(buffer, text);
	if (error != 0)
		return error;
	if (text.empty())
		return ESRCH;
	p.running = !parse_syscall(text, p.sp, p.pc);
	return 0;
}

// The list of groups has no bound, so the file is read in parts that end with a
// line.  Rejected: one large buffer, because the stack may be small.
int
posture_reader::read_status(const proc_task &dir, thread_status &out) noexcept
{
	char buffer[2048];
	std::size_t kept = 0;
	thread_status s;
	if (const int error = open_once(dir, "status", status_); error != 0)
		return error;
	for (std::size_t at = 0;;) {
		std::size_t n = 0;
		if (const int error = status_.read_some(at, {buffer + kept,
		    sizeof buffer - kept}, n); error != 0)
			return error;
		const bool last = kept + n < sizeof buffer;
		at += n;
		const std::string_view text(buffer, kept + n);
		const std::size_t end = text.rfind('\n');
		parse_lines(text.substr(0, end), s);
		if (last)
			break;
		// The end of the last whole line begins the next part.  A line
		// that does not fit is not one that is used.
		kept = end == text.npos ? 0 : text.size() - end;
		kept = kept == sizeof buffer ? 0 : kept;
		std::memmove(buffer, buffer + text.size() - kept, kept);
	}
	out = s;
	return 0;
}

// "nanoseconds on a CPU, nanoseconds of waiting for one, arrivals".
std::uint64_t
posture_reader::read_arrivals(const proc_task &dir) noexcept
{
	char buffer[80];
	std::string_view text;
	std::uint64_t arrivals = 0;
	if (open_once(dir, "schedstat", schedstat_) == 0 &&
	    schedstat_.read_record(buffer, text) == 0)
		number(word(text, 2), arrivals);
	return arrivals;
}

} // namespace stack9
