// Finds when files were written over in their place that a process has mapped.
// The mappings stay as they are then, so that no log has it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <iterator>

#include "os/clocks.h"
#include "process/space.h"
#include "process/written_over.h"

#include "processes.h"

namespace stack9::events {
namespace {

constexpr std::size_t most_written = 256;

bool
is_written_over(const process::mapping &m) noexcept
{
	return m.executable && m.backing != nullptr &&
	    process::is_another_program(*m.backing);
}

} // namespace

// A file may have been written several times since its state was read last, and
// its time is that of the last one.
void
processes::look_at_files(seen_process &p)
{
	const std::uint64_t before = p.looked_ns;
	bool is_another = false;
	p.looked_ns = boot_ns();
	if (p.space != nullptr)
		p.space->each_mapping([&](const process::mapping &m) {
			is_another = is_another || is_written_over(m);
		});
	unique_space made;
	if (!is_another || p.written.contains(before) ||
	    p.written.size() >= most_written ||
	    open_space(p.thread, p.looked_ns, made) != 0 || made == nullptr)
		return;
	p.written[before] = boot_ns();
	p.moments[before] = add_version(p, std::move(made));
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
