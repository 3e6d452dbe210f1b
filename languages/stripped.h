// Finds the text that a runtime has for people in a program that has lost the
// symbols by which the runtime is found.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

#include "process/file.h"

namespace stack9::languages {

// Gives the text that begins so, up to 64 bytes of it; "": there is none.  Only
// the constants of programs without a symbol table are searched, and at most
// 4 MiB of them.  Throws std::bad_alloc.
std::string text_of_stripped(process::file &, std::string_view beginning);

} // namespace stack9::languages
