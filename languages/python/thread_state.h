// Finds the structure that CPython has of a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "languages/noted_memory.h"

#include "layout.h"

namespace stack9::languages::python {

struct thread_state {
	std::uint64_t	interpreter = 0, at = 0;
};

// Finds it for the thread whose pointer the question has.  False: it has none.
// Throws std::bad_alloc.
bool find_state(const question &, noting_memory &, const loaded &,
    const layout &, thread_state &);

} // namespace stack9::languages::python
