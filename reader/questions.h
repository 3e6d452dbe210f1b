// Declares the questions about stacks, rules and tasks that a reader is asked.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/seam/space.h"

#include "connection.h"

namespace stack9::sandbox {

// Each function is called with the client's lock held.  False: there is no
// answer.  Throws std::bad_alloc.  The rest is as core/seam/reader.h says.

bool ask_walk(connection &, stack9_space &, const user_copy &,
    stack_record &, space_walk &, std::uint64_t &wanted);
bool ask_written(connection &, stack9_space &, const user_copy &,
    const written_question &, stack_record &, written_stack &,
    written_search &found);
bool ask_tasks(connection &, stack9_space &, written_tasks &,
    written_search &found);
bool ask_rules(connection &, stack9_space &, const std::uintptr_t *pcs,
    std::uint32_t n, std::uint32_t *rules);
bool ask_code_rules(connection &, stack9_space &, std::uintptr_t from,
    std::uint32_t size, std::vector<rule_run> &);

} // namespace stack9::sandbox
