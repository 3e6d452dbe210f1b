// Finds in the history what a process had mapped at a time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "mapping_history.h"

#include <algorithm>

namespace stack9::events {

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
	const one_process &p = at->second;
	lines then = changed_since(pid, when_ns) ? p.before : p.now;
	for (auto c = p.changes.rbegin(); c != p.changes.rend() &&
	    c->when > when_ns && !changed_since(pid, when_ns); ++c) {
		then.erase(c->address);
		for (const auto &[address, line] : c->before)
			then.insert_or_assign(address, line);
	}
	for (const auto &[address, line] : then)
		text += line;
	return text;
}

bool
mapping_history::has_all(pid_t pid, std::uint64_t when_ns) const
{
	const auto at = by_pid_.find(pid);
	return at != by_pid_.end() && at->second.is_whole &&
	    when_ns >= std::max(at->second.known_from, lost_ns_);
}

std::uint64_t
mapping_history::code_ns(pid_t pid, std::uint64_t when_ns) const
{
	const auto at = by_pid_.find(pid);
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
