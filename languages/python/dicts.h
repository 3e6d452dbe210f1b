// Finds values in dicts of CPython, and the attributes of objects, whose names
// are the keys of a dict that the objects of a class share.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "layout.h"

namespace stack9::languages::python {

// Each gives 0 if there is none.

// Finds the word that has the value of a name.  Throws std::bad_alloc.
std::uint64_t place_of(memory &, const layout &, std::uint64_t dict,
    std::string_view name);
// Finds that value.  Throws std::bad_alloc.
std::uint64_t value_of(memory &, const layout &, std::uint64_t dict,
    std::string_view name);
// Finds the value of a number below 2^60.  Such a number is its own hash.
std::uint64_t value_of(memory &, const layout &, std::uint64_t dict,
    std::uint64_t number);

// The attributes that an object has, of a class that Python made.
class attributes {
public:
	// Throws std::bad_alloc.
	attributes(memory &, const layout &, std::uint64_t object);

	// The value of one.  Throws std::bad_alloc.
	std::uint64_t of(std::string_view name);

private:
	bool has_values(std::uint64_t object, std::uint64_t type,
	    std::uint64_t &values);
	std::uint64_t dict_of(std::uint64_t object, std::uint64_t type);

	memory		&m_;
	const layout	&l_;
	// The dict; or the names, and the values as they lie.
	std::uint64_t	dict_ = 0, keys_ = 0, values_ = 0;
};

} // namespace stack9::languages::python
