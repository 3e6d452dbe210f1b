// Finds in the history what a process had mapped at a time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "mapping_history.h"

#include <algorithm>

#include "process/maps.h"

namespace stack9::events {
namespace {

// The log and /proc write a line differently.  A file that was there before and
// is there after was there all the time, unless it was seen to change places
// with another.
bool
are_alike(const std::string &one, const std::string &other)
{
	process::maps_line a, b;
	return process::parse_maps_line(one, a) &&
	    process::parse_maps_line(other, b) && a.end == b.end &&
	    a.offset == b.offset && a.path == b.path;
}

} // namespace

bool
mapping_history::changed_since(pid_t pid, std::uint64_t when_ns) const
{
	const auto at = by_pid_.find(pid);
	return at != by_pid_.end() && at->second.exec_ns > when_ns;
}

// A process that had the pid before is another one.
std::string
mapping_history::text_of(pid_t pid, std::uint64_t start, std::uint64_t when_ns)
    const
{
	const auto at = by_pid_.find(pid);
	std::string text;
	if (at == by_pid_.end() ||
	    (at->second.start != 0 && at->second.start != start))
		return text;
	for (const auto &[address, line] : lines_at(at->second, when_ns))
		text += line;
	return text;
}

mapping_history::lines
mapping_history::lines_at(const one_process &p, std::uint64_t when_ns)
{
	if (p.exec_ns > when_ns)
		return p.before;
	lines then = p.now;
	for (auto c = p.changes.rbegin(); c != p.changes.rend() &&
	    c->when > when_ns; ++c) {
		then.erase(c->address);
		for (const auto &[address, line] : c->before)
			then.insert_or_assign(address, line);
	}
	if (is_in_gap(p, when_ns))
		std::erase_if(then, [&](const auto &line) {
			const auto before = p.before_loss.find(line.first);
			return before == p.before_loss.end() ||
			    p.swapped.contains(line.first) ||
			    !are_alike(before->second, line.second);
		});
	return then;
}

bool
mapping_history::is_in_gap(const one_process &p, std::uint64_t when_ns)
{
	return when_ns < p.known_from && !p.before_loss.empty();
}

bool
mapping_history::has_all(pid_t pid, std::uint64_t when_ns) const
{
	const auto at = by_pid_.find(pid);
	return at != by_pid_.end() && at->second.is_whole &&
	    (is_in_gap(at->second, when_ns) ||
	    when_ns >= std::max(at->second.known_from, lost_ns_));
}

bool
mapping_history::is_lost(pid_t pid) const
{
	const auto at = by_pid_.find(pid);
	return lost_ns_ != 0 && (at == by_pid_.end() || !at->second.is_whole);
}

std::uint64_t
mapping_history::code_ns(pid_t pid, std::uint64_t when_ns) const
{
	const auto at = by_pid_.find(pid);
	if (at != by_pid_.end() && at->second.is_whole &&
	    is_in_gap(at->second, when_ns))
		return at->second.known_from - 1;
	if (at == by_pid_.end() || at->second.code_ns <= when_ns)
		return code_ns(pid);
	const auto &all = at->second.changes;
	const auto c = std::find_if(all.rbegin(), all.rend(),
	    [=](const change &one) {
		return one.is_code && one.when <= when_ns;
	    });
	return c != all.rend() ? c->when : at->second.known_from;
}

std::uint64_t
mapping_history::code_ns(pid_t pid) const
{
	const auto at = by_pid_.find(pid);
	return at == by_pid_.end() ? lost_ns_ :
	    std::max(lost_ns_, at->second.code_ns);
}

pid_t
mapping_history::parent_of(pid_t pid) const
{
	const auto at = by_pid_.find(pid);
	return at == by_pid_.end() ? 0 : at->second.parent;
}

} // namespace stack9::events
