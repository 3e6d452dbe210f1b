// Declares how a small core is written.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "contents.h"
#include "kept_pages.h"

namespace stack9::cores {

// Gives a core of the threads, the mappings and the memory that was kept.
// Throws std::bad_alloc.
std::string small_core(const contents &, const kept_pages &);

} // namespace stack9::cores
