// Builds a stack of so many frames, as the peer counts them, and captures at
// its innermost frame.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "own_clock.h"
#include "own_peers.h"
#include "own_tree.h"

class fixed_walk : public walker {
public:
	explicit fixed_walk(capture c) : capture_(c) {}

	// How many functions are gone through; given, none are found out.
	unsigned nodes() const { return nodes_; }
	void set_nodes(unsigned n) { nodes_ = n; }

	// False: there is no such stack, or the peer does not see it.  inline:
	// no frame of its own.
	[[gnu::always_inline]] bool
	run(unsigned wanted, std::uint32_t seed)
	{
		into_.limit = __builtin_frame_address(0);
		if (nodes_ == 0) {
			probing_ = true;
			walk_tree(*this, 1, seed);
			probing_ = false;
			nodes_ = nodes_for(wanted, found_);
			if (nodes_ == 0)
				return false;
		}
		walk_tree(*this, nodes_, seed);
		asm volatile("");	// not a tail call
		return found_ == wanted;
	}

protected:
	// A leaf() calls it itself, in order that probes and captures that
	// count are taken by one function.
	[[gnu::always_inline]] void once() { found_ = capture_(into_); }
	bool probing() const { return probing_; }
	unsigned found() const { return found_; }

private:
	capture		capture_;
	frames		into_;
	unsigned	found_ = 0;
	unsigned	nodes_ = 0;
	bool		probing_ = false;
};

// Captures back to back.
struct batch_walk final : fixed_walk {
	using fixed_walk::fixed_walk;
	batches all;

	void
	leaf() override
	{
		low = 0;
		do {
			for (unsigned i = 0; i < all.times(); i++) {
				once();
				fence();
			}
		} while (!probing() && all.go_on());
	}
};
