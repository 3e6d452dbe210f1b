// Declares the mappings of a core.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "process/mapping.h"

#include "images.h"

namespace stack9::cores {

// Makes the mappings of a core, in the order of their addresses, with the files
// that are found.  notes gets a sentence for each file that is not what it was.
// Throws std::bad_alloc.
std::vector<process::mapping> mappings_of(core_process &, const places &,
    std::vector<std::string> &notes);

// Lists the files of a core that has no list of them, as the loader of the
// program has it in memory.  Throws std::bad_alloc.
void list_files(core_process &, contents &to);

} // namespace stack9::cores
