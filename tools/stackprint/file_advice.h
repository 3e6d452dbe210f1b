// Says once which files lack names, and which were deleted or replaced.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "tools/lib/names.h"
#include "tools/lib/output.h"

namespace stackprint {

void advise_on_files(output &, const names &);

} // namespace stackprint
