// Finds the name of the class of a receiver.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "heap.h"

namespace stack9::languages::javascript {

// Gives the name that a stack trace has before a method of the object, as
// "Shop" of "Shop.total".  "": it has none, because the object is the global
// one or no object.
std::string class_name(heap &, tagged receiver);

} // namespace stack9::languages::javascript
