// Reads what V8 keeps of a function: its name, its script and its bytecode.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "heap.h"

namespace stack9::languages::javascript {

// Gives the name of a SharedFunctionInfo: the one that it was given, or the one
// that was inferred from what it is assigned to.  "": it has none.
std::string name_of(heap &, tagged shared);

// Returns true if it is the constructor of a class.
bool is_class_constructor(heap &, tagged shared) noexcept;

// Returns true if it is of a script that eval() or Function() made.
bool is_evaluated(heap &, tagged shared);

// Gives the BytecodeArray; 0: there is none, because the function is of V8.
tagged bytecode_of(heap &, tagged shared);

// Gives the Script; 0: there is none.
tagged script_of(heap &, tagged shared);

} // namespace stack9::languages::javascript
