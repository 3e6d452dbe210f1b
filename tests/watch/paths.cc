// Reads the ways of programs/tree.c off stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core_calls.h"
#include "paths.h"

#include <optional>
#include <utility>

#include "programs/tree.h"

namespace {

enum class level { a, b, top, other };

level
level_of(const std::string &name)
{
	return name == "a" ? level::a : name == "b" ? level::b :
	    name == "walk" ? level::top : level::other;
}

// A million frames have few addresses, so each is named once.
class reader {
public:
	// The way that a stack has gone; none if the stack is not whole.
	std::optional<unsigned> way_of(const kept_side &);

private:
	level at(const kept_side &, std::size_t);

	std::map<std::pair<stack9_space *, uintptr_t>, level>	known_;
};

level
reader::at(const kept_side &side, std::size_t i)
{
	const auto [at, is_new] = known_.try_emplace({side.space.get(),
	    side.pcs[i]}, level::other);
	stack9::symbol_name sym;
	const bool exact = i == 0 && (side.flags & STACK9_STACK_EXACT) != 0;
	if (is_new && core::space_name(side.space.get(), side.pcs[i],
	    exact ? 0 : stack9::name_return_address, &sym) == 0)
		at->second = level_of(sym.name);
	return at->second;
}

std::optional<unsigned>
reader::way_of(const kept_side &side)
{
	if (side.error != 0 || !side.space)
		return {};
	unsigned way = 0;
	int levels = 0;
	for (std::size_t i = 0; i < side.pcs.size(); i++) {
		const level l = at(side, i);
		if (l == level::top)
			return levels == tree_levels ? std::optional(way) :
			    std::nullopt;
		if (l == level::other && levels == 0)
			continue;	// marker(), bottom(), libc
		if (l == level::other || levels == tree_levels)
			return {};
		way = way << 1 | (l == level::b);
		levels++;
	}
	return {};
}

} // namespace

ways::ways(const std::vector<kept_sample> &samples, pid_t pid)
{
	reader r;
	for (const kept_sample &s : samples) {
		if (pid != 0 && s.thread.pid != pid)
			continue;
		if (const auto way = r.way_of(s.user); way) {
			events[*way] += s.events;
			stacks[*way]++;
		} else {
			lost += s.events;
		}
	}
}

std::vector<unsigned>
ways::wrong(unsigned paths, unsigned times) const
{
	std::vector<unsigned> all;
	for (unsigned way = 0; way < paths; way++)
		if (const auto at = events.find(way); at == events.end() ||
		    at->second != std::uint64_t{times} * tree_truth(way))
			all.push_back(way);
	for (const auto &[way, n] : events)
		if (way >= paths)
			all.push_back(way);
	return all;
}

std::vector<unsigned>
ways::merged() const
{
	std::vector<unsigned> all;
	for (const auto &[way, n] : events)
		if (n > tree_truth(way))
			all.push_back(way);
	return all;
}

std::uint64_t
events_of(unsigned paths)
{
	std::uint64_t sum = 0;
	for (unsigned way = 0; way < paths; way++)
		sum += tree_truth(way);
	return sum;
}
