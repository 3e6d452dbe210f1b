// Has the calls of Lua reported at events, and gives them their names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "layout.h"

namespace stack9::languages::lua {

// Puts the frames that were reported in the place of the calls of the loop, as
// runtime::walk_event() does.  Throws std::bad_alloc.
bool add_reported(const question &, const loaded &, const places &,
    const layout &, written_stack &);

} // namespace stack9::languages::lua
