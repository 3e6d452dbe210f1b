// Frames out of a snapshot.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

#include "snapshot.h"

namespace stack9::self {

enum class reach {
	anywhere,	// memory outside of the snapshot still holds
	snapshot	// only the snapshot and mapped files
};

// Fills pcs, depth, dropped, flags, why and reason; depth is at least 1 where
// max is.  True: it used memory that may be newer than the snapshot.  Takes no
// lock of the loader's, cannot fault, does not use the heap.
bool walk(const snapshot &, reach, stack9_record &) noexcept;

} // namespace stack9::self
