// Applies what processes do to what they have mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "mapping_history.h"

#include <algorithm>
#include <iterator>

#include "process/maps.h"

namespace stack9::events {
namespace {

constexpr std::size_t most_ended = 4096;
// The limit for a program that maps code without end, such as a JIT.
constexpr std::size_t most_lines = 4096, most_changes = 4096;

} // namespace

void
mapping_history::forget_all(std::uint64_t when_ns) noexcept
{
	std::erase_if(by_pid_, [](const auto &one) {
		return one.second.ended || (!one.second.is_whole &&
		    one.second.before_loss.empty());
	});
	for (auto &[pid, p] : by_pid_) {
		one_process kept;
		kept.before_loss = std::move(p.is_whole ? p.now :
		    p.before_loss);
		kept.swapped = std::move(p.swapped);
		kept.known_from = UINT64_MAX;
		p = std::move(kept);
	}
	ended_.clear();
	lost_ns_ = std::max(lost_ns_, when_ns);
}

void
mapping_history::add(made_mapping &&m)
{
	one_process &p = by_pid_[m.pid];
	if (m.when_ns < p.known_from)
		return;
	if (m.is_of_file)
		p.code_ns = m.when_ns;
	if (p.now.size() < most_lines)
		put_line(p, {m.when_ns, m.start, m.is_of_file, {}}, m.end,
		    std::move(m.line));
	else
		p.is_whole = false;
}

// It takes the place of all that was there.  Nothing reports munmap(2).
void
mapping_history::put_line(one_process &p, change &&c, std::uint64_t end,
    std::string line)
{
	process::maps_line old;
	auto at = p.now.lower_bound(c.address);
	if (at != p.now.begin() && process::parse_maps_line(
	    std::prev(at)->second, old) && old.end > c.address)
		--at;
	while (at != p.now.end() && at->first < end) {
		if (c.is_code && p.swapped.size() < most_lines)
			p.swapped.insert({c.address, at->first});
		c.before.emplace_back(at->first, std::move(at->second));
		at = p.now.erase(at);
	}
	p.now.emplace(c.address, std::move(line));
	p.changes.push_back(std::move(c));
	if (p.changes.size() > most_changes) {
		p.known_from = p.changes.front().when;
		p.changes.pop_front();
	}
}

void
mapping_history::executes(pid_t pid, std::uint64_t when_ns)
{
	one_process &p = by_pid_[pid];
	p.before = std::move(p.now);
	p.now.clear();
	p.before_loss.clear();
	p.swapped.clear();
	p.changes.clear();
	p.exec_ns = p.known_from = when_ns;
	p.is_whole = true;
}

void
mapping_history::begins(pid_t pid, pid_t parent_pid)
{
	const auto parent = by_pid_.find(parent_pid);
	one_process fresh;
	if (parent != by_pid_.end()) {
		fresh.now = parent->second.now;
		fresh.is_whole = parent->second.is_whole;
	}
	fresh.parent = parent_pid;
	by_pid_[pid] = std::move(fresh);
}

void
mapping_history::ends(pid_t pid)
{
	by_pid_[pid].ended = true;
	ended_.push_back(pid);
	forget_oldest();
}

void
mapping_history::forget_oldest()
{
	while (ended_.size() > most_ended) {
		const auto at = by_pid_.find(ended_.front());
		if (at != by_pid_.end() && at->second.ended)
			by_pid_.erase(at);
		ended_.pop_front();
	}
}

void
mapping_history::learn(pid_t pid, std::uint64_t start, std::string_view maps,
    std::uint64_t when_ns)
{
	one_process &p = by_pid_[pid];
	process::maps_line line;
	if (when_ns != 0) {
		p.now.clear();
		p.changes.clear();
		p.known_from = p.code_ns = when_ns;
	}
	p.start = start;
	p.is_whole = true;
	while (!maps.empty() && p.now.size() < most_lines) {
		const std::string_view before = maps;
		if (process::next_line(maps, line) && line.executable)
			p.now.insert_or_assign(line.start, std::string(
			    before.substr(0, before.size() - maps.size())));
	}
}

} // namespace stack9::events
