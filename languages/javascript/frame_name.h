// Names calls of functions as stack traces of V8 name them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "heap.h"

namespace stack9::languages::javascript {

// A call.  function and receiver are 0 if they are not known.
struct call {
	tagged	function = 0, shared = 0, receiver = 0;
	bool	is_construction = false;
};

// Gives "reserve" of a function, "Shop.reserve" of a method, "new Shop" of a
// constructor.
std::string frame_name(heap &, const call &);

} // namespace stack9::languages::javascript
