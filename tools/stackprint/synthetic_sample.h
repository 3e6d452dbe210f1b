// Makes the sample of a thread whose stacks were not captured.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

#include "advice.h"
#include "ours.h"
#include "tools/model/stack.h"

namespace stackprint {

// Says of each side why there is no stack, and of the thread what /proc says.
// reason, if it is not NULL, and route last as long as the sample.
sample_ptr synthetic_sample(const stack9_thread &, int sides, int error,
    int why, const char *reason, const char *route = "");

// Refuses all sides, for the error that gate::ask() gave.
sample_ptr withheld_sample(const stack9_thread &, int sides, int error,
    advice &);

} // namespace stackprint
