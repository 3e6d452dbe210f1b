// Writes and reads the answers to questions about copied stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "core/seam/space.h"

#include "message.h"

namespace stack9::sandbox {

// Writes a walk.  Throws std::bad_alloc, as all do here.
void put_walk(const stack_record &, space_walk, std::uint64_t wanted,
    message &to);

// Finds the frames of languages on a copy that was walked into the record, and
// writes the answer.  found: a buffer.
void put_written(stack9_space &, const user_copy &, const written_question &,
    stack_record &, written_stack &found, message &to);
// Does so by the rest of a question.
void put_written(stack9_space &, const user_copy &, message &question,
    written_stack &found, message &to);
// The same of tasks that no thread runs.
void put_tasks(stack9_space &, message &to);

// Reads the walk into a record.  False: the message is not whole, or has what
// cannot be; so for all that read.
bool take_walk(message &from, stack_record &, space_walk &,
    std::uint64_t &wanted);
// Reads the answers to these.  Where found is not done there is no more.
bool take_written(message &from, stack_record &, written_stack &,
    written_search &found);
bool take_tasks(message &from, written_tasks &, written_search &found);

} // namespace stack9::sandbox
