// Looks at a program in one of the ways that there are, and has the answer
// judged.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "judge.h"

namespace soak {

// How many ways there are.
unsigned int ways();
// Looks once in this way.
void look(unsigned int way, ledger &, const std::vector<pid_t> &, tally &);

} // namespace soak
