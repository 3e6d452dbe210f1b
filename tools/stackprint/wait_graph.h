// Draws who waits for whom: deadlocks, and the chains to their roots.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "waits.h"

namespace stackprint {

class wait_graph {
public:
	explicit wait_graph(const found_waits &);

	// put prints a text; stacks gives the stacks of a thread.
	void	print(bool json, const std::function<void(std::string_view)>
		    &put, const std::function<std::string(
		    const stack9_sample &)> &stacks) const;

private:
	using list = std::vector<std::size_t>;
	// The number of the tree that has a thread, from 1.
	struct drawn {
		list		in;
		std::size_t	tree;
	};

	void	find_cycles();
	list	waiters_below(std::size_t, bool polls) const;
	void	put_tree(std::string &, std::size_t, const std::string &indent,
		    bool polls, drawn &) const;
	void	put_roots(bool polls, drawn &,
		    const std::function<void(std::string_view)> &put,
		    const std::function<std::string(const stack9_sample &)>
		    &stacks) const;
	bool	is_root(std::size_t, bool polls) const;
	std::string	name(std::size_t) const;
	std::string	own_waits() const;
	std::string	cycle_title(const list &) const;
	void	print_json(const std::function<void(std::string_view)> &) const;

	const found_waits	&waits_;
	const std::vector<found_wait> &all_;
	std::vector<list>	 waiters_;	// of each thread, directly
	std::vector<list>	 pollers_;	// the same, by polls
	std::vector<std::size_t> next_;		// its only holder, or itself
	std::vector<list>	 cycles_;
	std::vector<bool>	 in_cycle_;
};

} // namespace stackprint
