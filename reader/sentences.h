// Declares sentences that are kept for good, because records point to them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace stack9::sandbox {

// The same sentence, for good.  May throw std::bad_alloc.
const char *kept_sentence(std::string_view);

// The same sentence, for good; NULL if it is empty.  A reader that says more
// different sentences than the library has, or other characters, is not
// believed: its sentence is replaced.  Throws std::bad_alloc.
const char *sentence_of(std::string_view);

} // namespace stack9::sandbox
