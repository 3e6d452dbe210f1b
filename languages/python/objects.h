// Reads objects of CPython: their types, and sets.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "layout.h"

namespace stack9::languages::python {

// The names of types, each read once.
class types {
public:
	types(memory &m, const layout &l) noexcept : m_(m), l_(l) {}

	// The name of an object's type, with its module if that is C's; "": it
	// cannot be read.  Valid as long as this.  Throws std::bad_alloc.
	const std::string &of(std::uint64_t object);
	// Returns true if the type of an object has this name, or inherits from
	// one that has it.  Throws std::bad_alloc.
	bool is_a(std::uint64_t object, std::string_view name);

private:
	struct type {
		std::string	name;
		std::uint64_t	base = 0;
	};

	const type &at(std::uint64_t);
	std::uint64_t type_of(std::uint64_t object);

	memory		&m_;
	const layout	&l_;
	std::unordered_map<std::uint64_t, type> all_;
};

// Gives the words of a set's table that are not 0: the elements, and what it
// has for those that were removed.  Throws std::bad_alloc.
std::vector<std::uint64_t> elements_of(memory &, const layout &,
    std::uint64_t set);

} // namespace stack9::languages::python
