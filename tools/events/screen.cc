// Erases the progress line before anything else is written.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "screen.h"
#include "tools/lib/program.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

namespace events {

screen::screen(const options &o, bool stacks_come_all_the_time)
    : program_(o.program), shows_progress_(!o.quiet && isatty(2) &&
      !(stacks_come_all_the_time && o.file.empty() && isatty(1)))
{
}

screen::~screen()
{
	clear();
}

void
screen::say(const std::string &text)
{
	clear();
	std::fputs(fmt::format("{}: {}\n", tools::called(program_),
	    text).c_str(), stderr);
}

// stackrecord asks /proc and ptrace(2) where BPF is refused.
void
screen::suggest_recorder(const options &o)
{
	const bool records_it = o.event.starts_with("cpu-clock") ||
	    o.event.starts_with("task-clock") || o.is_offcpu();
	if (records_it && o.pid != 0 && geteuid() != 0)
		message("stackrecord needs no rights for processes of yours: "
		    "stackrecord -F 50 -D 10 -p {} --record DIR; stackreport "
		    "DIR", o.pid);
}

bool
screen::due()
{
	const auto now = clock::now();
	if (!shows_progress_ || now < next_)
		return false;
	next_ = now + std::chrono::milliseconds(500);
	return true;
}

void
screen::progress(const std::string &text)
{
	std::fputs(fmt::format("\r{:{}}", text,
	    std::max(width_, text.size())).c_str(), stderr);
	width_ = std::max(width_, text.size());
}

void
screen::clear()
{
	if (width_ != 0)
		std::fputs(fmt::format("\r{:{}}\r", "", width_).c_str(),
		    stderr);
	width_ = 0;
}

} // namespace events
