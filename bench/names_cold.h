// Declares a program's worth of functions to be named: 4 files of 1024.  They
// are exported, so that peers which know only exported functions can name them,
// too.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

constexpr unsigned names_parts = 4;
constexpr unsigned names_of_part = 1024;
constexpr unsigned names_functions = names_parts * names_of_part;

struct names_walk;
using names_call = void (*)(names_walk &);

struct names_walk {
	unsigned	left = 0;	// functions still to be gone through
	unsigned long	sum = 0;

	virtual ~names_walk() = default;
	virtual void leaf() = 0;
};

// The function of that number, modulo how many there are.
names_call names_function(unsigned number);

// A part registers itself before main().
struct names_part {
	names_part(unsigned part, const names_call *functions);
};
