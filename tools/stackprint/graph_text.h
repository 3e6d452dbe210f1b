// Prints who waits for whom.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "wait_graph.h"

namespace stackprint {

class graph_text {
public:
	using put_fn = wait_graph::put_fn;
	using stacks_fn = wait_graph::stacks_fn;

	explicit graph_text(const wait_graph &g)
	    : graph_(g), waits_(g.waits_), all_(g.all_), nodes_(g.nodes_),
	      in_(g.nodes_.size()) {}

	// put prints a text; stacks gives the stacks of a thread.  It is called
	// once.
	void	print(const put_fn &put, const stacks_fn &stacks);

private:
	using list = wait_graph::list;

	std::string	name(std::size_t) const;
	std::string	line(std::size_t) const;
	void	put_tree(std::string &, std::size_t, const std::string &indent,
		    bool polls);
	void	put_cycles(const put_fn &, const stacks_fn &);
	void	put_roots(bool polls, const put_fn &, const stacks_fn &);
	void	put_contended(const put_fn &) const;
	void	put_unexplained(const put_fn &, const stacks_fn &);
	void	put_own_waits(const put_fn &, const stacks_fn &,
		    const std::string &title, std::size_t count) const;
	bool	tells_of_asked() const;

	const wait_graph	&graph_;
	const found_waits	&waits_;
	const std::vector<found_wait> &all_;
	const std::vector<wait_graph::node> &nodes_;
	list		in_;	// the tree that has a node, from 1
	std::size_t	tree_ = 0;	// the last one
};

} // namespace stackprint
