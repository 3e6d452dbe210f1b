// Counts what was seen, and what differed, by cause.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <map>
#include <string>

class tally {
public:
	std::size_t	objects = 0, functions = 0, pcs = 0, searched = 0;

	void	rule(const std::string &kind) { rules_[kind]++; }
	// A difference that is to be expected, and why.
	void	explained(const std::string &why) { explained_[why]++; }
	// The first of each cause is kept as an example; differences come in
	// millions, if they come.
	template <class F> void
	differs(const std::string &what, F example)
	{
		differences_++;
		cause &c = causes_[what];
		if (c.count++ == 0)
			c.example = example();
	}

	std::size_t differences() const { return differences_; }
	std::size_t expected() const;
	void	print(const char *title) const;

private:
	struct cause {
		std::size_t	count = 0;
		std::string	example;
	};
	std::size_t			differences_ = 0;
	std::map<std::string, std::size_t> rules_, explained_;
	std::map<std::string, cause>	causes_;
};
