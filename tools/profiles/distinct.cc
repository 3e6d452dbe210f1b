// Sorts functions by name, module and kind, and numbers them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "profile.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "words.h"

namespace profiles {

distinct
distinct_frames(const profile &p)
{
	std::vector<std::string> labels;
	for (const frame &f : p.frames)
		labels.push_back(label(f));
	const auto key = [&](std::uint32_t i) {
		const frame &f = p.frames[i];
		return std::tie(labels[i], f.module, f.kind);
	};
	std::vector<std::uint32_t> order(p.frames.size());
	std::iota(order.begin(), order.end(), 0U);
	std::stable_sort(order.begin(), order.end(),
	    [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
	distinct all;
	all.of.resize(p.frames.size());
	for (const std::uint32_t i : order) {
		if (all.first.empty() || key(all.first.back()) != key(i))
			all.first.push_back(i);
		all.of[i] = static_cast<std::uint32_t>(all.first.size() - 1);
	}
	return all;
}

} // namespace profiles
