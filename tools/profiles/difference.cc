// Adds up the stacks of two profiles by the names of their frames.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "difference.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "profile.h"
#include "text.h"
#include "tools/lib/modules.h"
#include "tools/lib/text.h"
#include "words.h"

namespace profiles {
namespace {

using tools::append;

class joining {
public:
	explicit joining(profile &to) : to_(to) {}

	void
	add(const profile &given, bool is_before)
	{
		profile copy;
		const profile &p = with_processes(given, copy);
		std::vector<std::uint32_t> frames;
		for (const frame &f : p.frames)
			frames.push_back(frame_of(f));
		for (const stack &s : p.stacks) {
			std::vector<std::uint32_t> key;
			for (const std::uint32_t f : s.frames)
				key.push_back(frames[f]);
			sums &sum = stacks_[std::move(key)];
			(is_before ? sum.before : sum.after) += s.weight;
		}
	}

	void
	finish()
	{
		for (const auto &[frames, sum] : stacks_) {
			stack &s = to_.stacks.emplace_back();
			s.frames = frames;
			s.weight = s.events = sum.after;
			s.before = sum.before;
		}
	}

private:
	struct sums {
		std::uint64_t	before = 0, after = 0;
	};

	std::uint32_t
	frame_of(const frame &f)
	{
		const auto [it, is_new] = known_.try_emplace(label(f),
		    static_cast<std::uint32_t>(to_.frames.size()));
		if (is_new) {
			frame &fresh = to_.frames.emplace_back();
			fresh.kind = f.kind;
			fresh.name = it->first;
			fresh.module = f.module;
			fresh.language = f.language;
		}
		// In one of the two, at least.
		to_.frames[it->second].flags |= f.flags & tools::frame_deleted;
		return it->second;
	}

	profile	&to_;
	std::unordered_map<std::string, std::uint32_t> known_;
	std::map<std::vector<std::uint32_t>, sums> stacks_;
};

struct totals {
	std::uint64_t	before = 0, after = 0;
};

totals
totals_of(const profile &p)
{
	totals all;
	for (const stack &s : p.stacks) {
		all.before += s.before;
		all.after += s.weight;
	}
	return all;
}

struct compared {
	totals		own, whole;
	std::uint32_t	frame = 0;
};

std::vector<compared>
functions_of(const profile &p)
{
	std::vector<compared> all(p.frames.size());
	for (std::uint32_t i = 0; i < all.size(); i++)
		all[i].frame = i;
	for (const stack &s : p.stacks) {
		if (s.frames.empty())
			continue;
		totals &own = all[s.frames.back()].own;
		own.before += s.before;
		own.after += s.weight;
		// A function that calls itself counts once.
		for (const std::uint32_t f : std::set<std::uint32_t>(
		    s.frames.begin(), s.frames.end())) {
			all[f].whole.before += s.before;
			all[f].whole.after += s.weight;
		}
	}
	return all;
}

} // namespace

shares
shares_of(std::uint64_t before, std::uint64_t all_before, std::uint64_t after,
    std::uint64_t all_after)
{
	const auto share = [](std::uint64_t part, std::uint64_t whole) {
		return whole == 0 ? 0 : 100 * static_cast<double>(part) /
		    static_cast<double>(whole);
	};
	return {share(before, all_before), share(after, all_after)};
}

std::string
colour(const shares &s)
{
	constexpr double steps[] = {0.05, 0.5, 2, 8};	// percentage points
	int level = 0;
	for (const double step : steps)
		level += std::fabs(s.change()) >= step;
	return level == 0 ? "same" : (s.change() > 0 ? "more" : "less") +
	    std::to_string(level);
}

profile
difference(const profile &before, const profile &after)
{
	profile p;
	p.event = after.event.empty() ? before.event : after.event;
	p.unit = after.unit.empty() ? before.unit : after.unit;
	if (p.unit.empty())
		p.unit = "events";
	p.is_difference = true;
	joining both(p);
	both.add(before, true);
	both.add(after, false);
	both.finish();
	return p;
}

std::string
difference_text(const profile &p, std::size_t most)
{
	const totals all = totals_of(p);
	const auto shares_in = [&](const totals &t) {
		return shares_of(t.before, all.before, t.after, all.after);
	};
	std::vector<compared> list = functions_of(p);
	const auto size = [&](const compared &f) {
		return std::pair(std::fabs(shares_in(f.own).change()),
		    std::fabs(shares_in(f.whole).change()));
	};
	std::stable_sort(list.begin(), list.end(),
	    [&](const compared &a, const compared &b) {
		    return size(a) < size(b);
	    });
	if (list.size() > most)
		list.erase(list.begin(), list.end() -
		    static_cast<std::ptrdiff_t>(most));
	fmt::memory_buffer out;
	append(out, "{:>13}{:>9}{:>9}{:>17}{:>9}{:>9}   function\n",
	    "own: before", "after", "change", "with callees", "after",
	    "change");
	for (const compared &f : list) {
		const shares own = shares_in(f.own), whole = shares_in(f.whole);
		const frame &named = p.frames[f.frame];
		append(out, "{:>11.2f} %{:>7.2f} %{:>+9.2f}{:>15.2f} %"
		    "{:>7.2f} %{:>+9.2f}   {}{}\n", own.before, own.after,
		    own.change(), whole.before, whole.after, whole.change(),
		    tools::printable(label(named)),
		    named.module.empty() ? "" : "  [" +
		    tools::printable(tools::base_name(named.module)) +
		    tools::deleted_mark(named) + "]");
	}
	append(out, "\n{} before, {} after; shares are of each, changes in "
	    "percentage points\n", amount(all.before, p.unit),
	    amount(all.after, p.unit));
	return fmt::to_string(out);
}

std::string
difference_folded(const profile &p)
{
	fmt::memory_buffer out;
	for (const stack &s : p.stacks) {
		const char *semicolon = "";
		for (const std::uint32_t f : s.frames) {
			std::string name = utf8(label(p.frames[f]));
			std::replace(name.begin(), name.end(), ';', ':');
			std::replace(name.begin(), name.end(), '\n', '?');
			append(out, "{}{}", semicolon, name);
			semicolon = ";";
		}
		append(out, " {} {}\n", s.before, s.weight);
	}
	return fmt::to_string(out);
}

} // namespace profiles
