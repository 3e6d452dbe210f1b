// Builds the tree from sorted stacks: each shares a path with the one before
// it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "flame_tree.h"

#include <algorithm>

#include "profile.h"

namespace profiles {
namespace {

struct path {
	std::vector<std::uint32_t> functions;	// the outermost first
	const stack	*of;
};

std::vector<path>
sorted_paths(const profile &p, const distinct &all)
{
	std::vector<path> paths;
	paths.reserve(p.stacks.size());
	for (const stack &s : p.stacks) {
		path &one = paths.emplace_back(path{{}, &s});
		one.functions.reserve(s.frames.size());
		for (const std::uint32_t f : s.frames)
			one.functions.push_back(all.of[f]);
	}
	std::stable_sort(paths.begin(), paths.end(),
	    [](const path &a, const path &b) {
		    return a.functions < b.functions;
	    });
	return paths;
}

class builder {
public:
	explicit builder(const distinct &all) : all_(all) {}
	void add(const path &);
	std::vector<flame_node> nodes = {{0, 0, 0, 0, 0, 0}};

private:
	const distinct	&all_;
	std::vector<std::uint32_t> functions_;	// on the last path
	std::vector<std::size_t> open_ = {0};	// its nodes, from the root on
	std::uint64_t	at_ = 0;
};

void
builder::add(const path &one)
{
	const auto &now = one.functions;
	const auto differ = std::mismatch(functions_.begin(), functions_.end(),
	    now.begin(), now.end());
	std::size_t depth = differ.second - now.begin();
	open_.resize(depth + 1);
	for (; depth < now.size(); depth++) {
		open_.push_back(nodes.size());
		nodes.push_back({all_.first[now[depth]],
		    static_cast<std::uint32_t>(depth + 1), at_, 0, 0, 0});
	}
	for (const std::size_t n : open_) {
		nodes[n].weight += one.of->weight;
		nodes[n].events += one.of->events;
		nodes[n].before += one.of->before;
	}
	at_ += one.of->weight;
	functions_ = now;
}

} // namespace

std::vector<flame_node>
flame_tree(const profile &p)
{
	const distinct all = distinct_frames(p);
	builder tree(all);
	for (const path &one : sorted_paths(p, all))
		tree.add(one);
	return std::move(tree.nodes);
}

} // namespace profiles
