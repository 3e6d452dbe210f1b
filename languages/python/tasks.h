// Reads the tasks of asyncio that no thread runs, each with the chain of
// coroutines that it awaits.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "code.h"
#include "layout.h"

namespace stack9::languages::python {

// Throws std::bad_alloc.
void add_tasks_of(const question &, const loaded &, const layout &,
    code_places &, written_tasks &);

} // namespace stack9::languages::python
