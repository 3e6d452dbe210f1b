// Declares so many functions that each is passed only once.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

constexpr unsigned cold_functions = 4096;

struct cold_walk;
using cold_call = void (*)(cold_walk &);

struct cold_walk {
	const cold_call	*table = nullptr;	// the functions
	unsigned	left = 0;
	unsigned long	sum = 0;

	virtual ~cold_walk() = default;
	virtual void leaf() = 0;
};

// Calls leaf() through so many functions, from the from-th one on.
void walk_cold(cold_walk &, unsigned from, unsigned count);
