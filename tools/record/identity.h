// Names frames and stacks by their contents, so that those of other machines
// and other days have the same names.  stackrecord(5) says which bytes are
// hashed.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "model.h"

namespace recording {

// of: its module, or NULL.
identity identity_of(const frame &, const module *of);

// frames: the identities of all frames of the segment, the first is number 1.
identity identity_of(const stack &, const std::vector<identity> &frames);

// Names both sides of a thread by the names of each.
identity identity_of(const identity &kernel, const identity &user);

} // namespace recording
