// Finds when files were written over in their place that a process has mapped.
// The mappings stay as they are then, so that no log has it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <iterator>

#include <sys/stat.h>

#include "os/clocks.h"
#include "os/strangers_file.h"
#include "process/space.h"
#include "process/written_over.h"

#include "processes.h"

namespace stack9::events {
namespace {

constexpr std::size_t most_written = 256;

bool
is_written_over(const process::mapping &m, struct stat &st) noexcept
{
	return m.executable && m.backing != nullptr &&
	    process::is_another_program(*m.backing) &&
	    stat_now(m.backing->fd(), st) == 0;
}

// The CLOCK_BOOTTIME of a time in CLOCK_REALTIME; 0: it is far from now.
std::uint64_t
boot_ns_of(const timespec &t) noexcept
{
	constexpr std::int64_t second = 1000000000;
	if (t.tv_sec < 0 || t.tv_sec > INT64_MAX / second - 1)
		return 0;
	const auto now = static_cast<std::int64_t>(boot_ns());
	const std::int64_t age = clock_ns(CLOCK_REALTIME) -
	    (t.tv_sec * second + t.tv_nsec);
	return static_cast<std::uint64_t>(std::clamp(now - age,
	    std::int64_t{0}, now));
}

// The earliest time at which a file can have been written between two readings.
// Anybody may set its time, and the kernel may take it from an earlier tick of
// its clock.
std::uint64_t
written_from(const struct stat &st, std::uint64_t before, std::uint64_t now)
    noexcept
{
	const std::uint64_t at = boot_ns_of(st.st_mtim);
	return at >= before && at <= now ? at : before;
}

} // namespace

void
processes::look_at_files(seen_process &p)
{
	const std::uint64_t before = p.looked_ns, now = boot_ns();
	p.looked_ns = now;
	std::uint64_t from = UINT64_MAX;
	if (p.space != nullptr)
		p.space->each_mapping([&](const process::mapping &m) {
			struct stat st;
			if (is_written_over(m, st))
				from = std::min(from,
				    written_from(st, before, now));
		});
	unique_space made;
	if (from == UINT64_MAX || p.written.contains(from) ||
	    p.written.size() >= most_written ||
	    open_space(p.thread, now, made) != 0 || made == nullptr)
		return;
	p.written[from] = boot_ns();
	p.moments[from] = add_version(p, std::move(made));
}

std::uint64_t
processes::moment_of(const seen_process &p, std::uint64_t when_ns) const
{
	const auto behind = p.written.upper_bound(when_ns);
	return std::max(maps_.code_ns(p.thread.pid, when_ns),
	    behind == p.written.begin() ? 0 : std::prev(behind)->first);
}

bool
processes::is_written_at(const seen_process &p, std::uint64_t when_ns) noexcept
{
	const auto behind = p.written.upper_bound(when_ns);
	return behind != p.written.begin() &&
	    when_ns < std::prev(behind)->second;
}

// Returns true if the files of that time cannot be opened any more.
bool
processes::is_of_before(const seen_process &p, std::uint64_t when_ns) noexcept
{
	return !p.written.empty() && when_ns < p.written.rbegin()->first;
}

} // namespace stack9::events
