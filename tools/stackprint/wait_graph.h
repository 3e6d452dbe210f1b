// Draws who waits for whom: deadlocks, the chains to their roots, and what is
// not explained.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "contention.h"
#include "waits.h"

namespace stackprint {

class wait_graph {
public:
	using put_fn = std::function<void(std::string_view)>;
	using stacks_fn = std::function<std::string(const sample &)>;

	wait_graph(const found_waits &, const contention &);

	// put prints a text: JSON objects, without stacks.
	void	print_json(const put_fn &) const;

private:
	friend class graph_text;

	using list = std::vector<std::size_t>;
	static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

	// A thread; or a process, any of whose threads may be the one.
	struct node {
		const found_wait *wait = nullptr;	// NULL: a process
		pid_t		pid = 0;
		int		threads = 0;	// of the process
		list		waiters, pollers;	// directly
		std::size_t	next = nobody;	// whom alone it waits for
		std::size_t	holders = 0;	// edges that are drawn
		bool		in_cycle = false;
	};
	void	add_edges(std::size_t);
	std::size_t	holder_of(const stack9_holder &);
	void	find_cycles();
	bool	is_unexplained(std::size_t) const;
	bool	is_root(std::size_t, bool polls) const;
	list	waiters_below(std::size_t, bool polls) const;

	std::string	cycle_title(const list &) const;

	const found_waits	&waits_;
	const contention	&seen_;
	const std::vector<found_wait> &all_;
	std::vector<node>	 nodes_;	// threads, in the order of all_
	std::unordered_map<pid_t, std::size_t> processes_;
	std::vector<list>	 cycles_;
};

} // namespace stackprint
