// Reads the functions of a loaded module from its debug file.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "elf_table.h"
#include "image.h"

namespace stack9 {

// The table stays empty if there is no debug file.  False: the module's own
// file could not be opened, perhaps for want of a descriptor.  May throw
// std::bad_alloc.
bool read_debug_table(const module_image &, elf_table &);

} // namespace stack9
