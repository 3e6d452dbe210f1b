// Knows the words that the library has for the waits that were noted.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "ledger.h"

namespace soak {

// The kinds of stack9_waits.h that such a wait may be reported as, the best
// first.
std::vector<int> kinds_of(const noted &);
// Returns true if a text is the word for one of these kinds.
bool is(const std::string &text, std::initializer_list<int> kinds);
// Returns true if a thread may be met in it on its way in or out of a wait.
bool is_on_the_way(const std::string &kind);

} // namespace soak
