// Writes to stdout and stderr, and shows and erases the progress line.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <unistd.h>

#include "command_line.h"
#include "program.h"

namespace tools {
namespace {

// So many captures take some 10 ms: the line changes often enough to be seen to
// move.
constexpr unsigned int step = 512;

} // namespace

output::output() : shows_progress_(isatty(2) && !isatty(1))
{
	if (!isatty(1))
		std::setvbuf(stdout, nullptr, _IOFBF, 1 << 16);
}

output::~output()
{
	clear();
}

void
output::block(std::string_view text)
{
	if (stdout_.changes()) {
		const std::string shown = stdout_.shown(text);
		std::fwrite(shown.data(), 1, shown.size(), stdout);
		return;
	}
	std::fwrite(text.data(), 1, text.size(), stdout);
}

void
output::say(const std::string &text)
{
	clear();
	std::fflush(stdout);
	std::fputs((called("stackprint") + ": " + text + "\n").c_str(),
	    stderr);
}

void
output::progress()
{
	if (!shows_progress_ || ++threads_ % step != 0)
		return;
	const std::string line = fmt::format("\r{} threads", threads_);
	std::fputs(line.c_str(), stderr);
	width_ = static_cast<unsigned int>(line.size()) - 1;
}

void
output::clear()
{
	if (width_ != 0)
		std::fputs(fmt::format("\r{:{}}\r", "", width_).c_str(),
		    stderr);
	width_ = 0;
}

bool
output::good() const
{
	return !std::ferror(stdout);
}

int
output::finish()
{
	clear();
	errno = 0;
	if (std::fflush(stdout) == 0 && good())
		return 0;
	// A reader that closed the pipe knows that it did.
	if (errno != 0 && errno != EPIPE)
		std::fprintf(stderr, "%s: standard output: %s\n",
		    called("stackprint").c_str(), std::strerror(errno));
	return exit_output;
}

} // namespace tools
