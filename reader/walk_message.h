// Writes the answers to questions about copied stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "core/seam/space.h"

#include "message.h"

namespace stack9::apart {

// Writes a walk.  Throws std::bad_alloc, as all do here.
void put_walk(const stack_record &, space_walk, std::uint64_t wanted,
    message &to);

// Reads the rest of a question for the frames of languages on a copy, finds
// them, and writes the answer.  found: a buffer.
void put_written(stack9_space &, const user_copy &, message &question,
    written_stack &found, message &to);
// The same of tasks that no thread runs.
void put_tasks(stack9_space &, message &to);

// Reads the frames of a stack, as these write them.  False: the message is not
// whole, or has what cannot be.
bool take_texts(message &from, std::uint32_t depth, written_stack &);
// Reads how a search for frames of languages has ended.  False: likewise.
bool take_search(message &from, written_search &);

} // namespace stack9::apart
