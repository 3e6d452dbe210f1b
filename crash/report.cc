// Writes the report of a crash, part by part.
//
// The thread that crashed does next to nothing itself.  It sleeps while a
// process in its memory writes a part; the process is killed if that takes too
// long, and the next part follows.  So a part that meets something that the
// program has broken, or a reader that reads nothing, costs that part alone.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "crash.h"

#include <stack9_crash.h>

#include "frames.h"
#include "parts.h"
#include "steps.h"
#include "text.h"
#include "threads.h"

namespace stack9::crash {
namespace {

constexpr std::size_t memory_least = 64 << 20, memory_most = 256 << 20;
constexpr std::uint64_t for_all = 10000 * millisecond;
constexpr std::uint64_t for_a_part = 3000 * millisecond;

class line final : public work {
public:
	line(int fd, const char *what) noexcept : fd_(fd), what_(what) {}

	void
	run(tracing::tracer &) noexcept override
	{
		text to(fd_);
		to << what_;
	}

private:
	const int	fd_;
	const char	*const what_;
};

void
write_line(const crash &c, const char *what, arena &memory,
    const deadline &end) noexcept
{
	line it(c.fd, what);
	run_part(it, memory, end.at_most(500 * millisecond));
}

void
run_or_say(work &what, const crash &c, arena &memory, const deadline &end)
    noexcept
{
	if (run_part(what, memory, end.at_most(for_a_part)) ==
	    tracing::run_end::killed)
		write_line(c, "    this part of the report was given up\n",
		    memory, end);
}

} // namespace

void
report(const crash &c) noexcept
{
	const deadline end(for_all);
	arena memory(memory_least, memory_most);
	std::uintptr_t few[64];
	std::span<std::uintptr_t> pcs;
	if (memory.is_there())
		pcs = memory.take_array<std::uintptr_t>(frames_walked);
	if (pcs.empty())
		pcs = few;
	head first(c, pcs);
	run_or_say(first, c, memory, end);
	if ((c.flags & STACK9_CRASH_ONE_THREAD) == 0 && memory.is_there())
		report_threads(c, memory, end, pcs);
	if ((c.flags & STACK9_CRASH_NO_MODULES) == 0) {
		write_modules modules(c);
		run_or_say(modules, c, memory, end);
	}
	write_line(c, "stack9: end of report\n", memory, end);
}

} // namespace stack9::crash
