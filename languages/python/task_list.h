// Finds the tasks that a process has.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "objects.h"

namespace stack9::languages::python {

// Gives the addresses of what may be tasks of asyncio, in no order, each once.
// Throws std::bad_alloc.
std::vector<std::uint64_t> list_tasks(const question &, const loaded &,
    const layout &, const task_layout &, types &);

} // namespace stack9::languages::python
