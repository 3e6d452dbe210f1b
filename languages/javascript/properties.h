// Looks for properties of objects.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heap.h"

namespace stack9::languages::javascript {

struct property {
	tagged		key = 0, value = 0;
	bool		is_accessor = false, is_hidden = false;
};

// Gives the object's own properties, without the elements of an array.
std::vector<property> properties_of(heap &, tagged object);

// Gives the value of an own property; 0: it has none, or one with a getter.
tagged own_value(heap &, tagged object, std::string_view name);

// Gives the object that another one inherits from; 0: none.
tagged prototype_of(heap &, tagged object) noexcept;

} // namespace stack9::languages::javascript
