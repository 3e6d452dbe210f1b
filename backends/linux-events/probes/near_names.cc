// Scores names.  A name is near if a few letters differ (Levenshtein's
// distance), or if it has the same words between _ and the like.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "near_names.h"

#include <algorithm>
#include <numeric>

namespace stack9::events {
namespace {

constexpr double near_enough = 0.4, near_letters = 0.6;
constexpr std::size_t longest = 80;

template <class F>
void
each_word(std::string_view s, F f)
{
	while (!s.empty()) {
		const std::size_t n = std::min(s.find_first_of("_-.:"),
		    s.size());
		if (n > 1)
			f(s.substr(0, n));
		s.remove_prefix(std::min(n + 1, s.size()));
	}
}

std::size_t
distance(std::string_view a, std::string_view b)
{
	std::size_t row[longest + 1];
	std::iota(row, row + b.size() + 1, 0);
	for (std::size_t i = 0; i < a.size(); i++) {
		std::size_t diagonal = row[0];
		row[0] = i + 1;
		for (std::size_t j = 0; j < b.size(); j++) {
			const std::size_t other = diagonal + (a[i] != b[j]);
			diagonal = row[j + 1];
			row[j + 1] = std::min({other, row[j] + 1,
			    row[j + 1] + 1});
		}
	}
	return row[b.size()];
}

} // namespace

near_names::near_names(std::string_view wanted, bool by_words)
    : wanted_(wanted.substr(0, longest)), by_words_(by_words)
{
	each_word(wanted, [&](std::string_view w) { words.emplace_back(w); });
}

// 1: the names are the same; 0: they have nothing in common.
double
near_names::score(std::string_view name) const
{
	const auto longer = static_cast<double>(std::max(wanted_.size(),
	    name.size()));
	double shared = 0;
	each_word(name, [&](std::string_view w) {
		if (std::find(words.begin(), words.end(), w) != words.end())
			shared += static_cast<double>(w.size()) + 1;
	});
	if (by_words_)
		return shared == 0 ? 0 : near_enough + shared -
		    longer / 1000;
	// At least as many letters differ as the lengths differ by.
	const auto differ = static_cast<double>(std::max(wanted_.size(),
	    name.size()) - std::min(wanted_.size(), name.size()));
	const double by_word = 0.9 * shared / (longer + 1);
	if (differ / longer > 1 - near_letters)
		return by_word;
	const double by_letter = 1 -
	    static_cast<double>(distance(wanted_, name)) / longer;
	return by_letter < near_letters ? by_word :
	    std::max(by_word, by_letter);
}

void
near_names::offer(std::string_view name)
{
	name = name.substr(0, longest);
	if (name.empty())
		return;
	const double s = score(name);
	if (s <= near_enough ||
	    (best.size() == most && s <= best.back().score) ||
	    std::any_of(best.begin(), best.end(), [&](const one &b) {
		return b.name == name && b.prefix == prefix_; }))
		return;
	best.push_back({s, prefix_, std::string(name)});
	std::stable_sort(best.begin(), best.end(),
	    [](const one &a, const one &b) { return a.score > b.score; });
	if (best.size() > most)
		best.pop_back();
}

std::string
near_names::list(const std::string &prefix) const
{
	std::string s;
	for (const one &b : best)
		s += (s.empty() ? "" : ", ") + prefix + b.name;
	return s;
}

std::string
near_names::question(const std::string &prefix) const
{
	return best.empty() ? "" : "; did you mean " + list(prefix) + "?";
}

} // namespace stack9::events
