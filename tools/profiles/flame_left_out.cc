// Finds the frames that are too narrow to be drawn.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <numeric>
#include <tuple>

#include "flame_tree.h"

namespace profiles {
namespace {

// Marks the so many widest nodes.  Among equally wide nodes the outer ones are
// marked first, so that a node never stays without its parent.
std::vector<bool>
widest(const std::vector<flame_node> &all, std::size_t nodes)
{
	std::vector<std::uint32_t> order(all.size());
	std::iota(order.begin(), order.end(), 0U);
	const auto wider = [&](std::uint32_t a, std::uint32_t b) {
		if (all[a].weight != all[b].weight)
			return all[a].weight > all[b].weight;
		return std::tie(all[a].depth, a) < std::tie(all[b].depth, b);
	};
	nodes = std::min(nodes, all.size());
	std::nth_element(order.begin(),
	    order.begin() + static_cast<std::ptrdiff_t>(nodes), order.end(),
	    wider);
	order.resize(nodes);
	std::vector<bool> are(all.size());
	for (const std::uint32_t i : order)
		are[i] = true;
	return are;
}

} // namespace

flame_left_out
leave_out(std::vector<flame_node> &all, std::uint64_t parts, std::size_t nodes)
{
	const std::uint64_t least = std::max(std::uint64_t{1},
	    all.front().weight / parts);
	const std::vector<bool> wide = widest(all, nodes);
	flame_left_out left;
	std::vector<flame_node> kept = {all.front()};
	// Children weigh no more than their parent, so all nodes below it go
	// with it.
	std::uint32_t gone_at = ~0U;
	for (std::size_t i = 1; i < all.size(); i++) {
		const flame_node &n = all[i];
		if (n.depth <= gone_at)
			gone_at = ~0U;
		if (wide[i] && n.weight >= least) {
			kept.push_back(n);
			continue;
		}
		left.frames++;
		if (gone_at == ~0U) {
			gone_at = n.depth;
			left.weight += n.weight;
		}
	}
	all = std::move(kept);
	return left;
}

} // namespace profiles
