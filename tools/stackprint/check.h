// Runs stackprint --check, which shows what this machine allows.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stackprint {

// Returns the exit status: complete if every job has a route that works, none
// if no job has.
int check();

} // namespace stackprint
