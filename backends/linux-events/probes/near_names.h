// Picks the few names of many that are most like one that does not exist.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stack9::events {

class near_names {
public:
	// by_words: only common words count, not common letters.
	explicit near_names(std::string_view wanted, bool by_words = false);

	// Names that are offered from now on stand for events of this prefix.
	void offer_as(const char *prefix) { prefix_ = prefix; }
	void offer(std::string_view name);
	// The nearest comes first; prefix is put before each.  "": none is
	// near.
	std::string list(const std::string &prefix) const;
	// "; did you mean ...?" with that list, or "".
	std::string question(const std::string &prefix) const;

	struct one {
		double		score;
		std::string	prefix, name;
	};
	const std::vector<one> &nearest() const { return best; }

private:
	static constexpr std::size_t most = 3;

	double score(std::string_view name) const;

	std::string		wanted_;
	std::vector<std::string> words;
	bool			by_words_;
	const char		*prefix_ = "";
	std::vector<one>	best;		// the nearest first
};

} // namespace stack9::events
