// Looks at a program by stackprint.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "judge.h"

namespace soak {

unsigned int program_ways();
void look_by_program(unsigned int way, ledger &, const std::vector<pid_t> &,
    tally &);

} // namespace soak
