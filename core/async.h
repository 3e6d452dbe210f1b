// Submits, collects, cancels and releases asynchronous captures.  Ids and the
// list of those that are ready belong to the process; api/ makes streams of
// them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/async.h"
#include "core/seam/space.h"

namespace stack9 {

// All return as the public calls of their names do.  why becomes a sentence in
// static storage, or NULL, where a call fails.  Thread-safe.

// Chooses the queue of this process, if none has been chosen yet.
int async_begin(const char *&why) noexcept;
// wake: the thread is woken.
int async_submit(const stack9_thread &, stack9_side, bool wake, stack9_id &,
    const char *&why) noexcept;
// NULL as a record: it is not asked for.  The caller sets pcs and max of a
// record, and space of user or NULL.  opened is as for save_sides().
int async_collect(stack9_id, stack_record *kernel, stack_record *user,
    unique_space *opened = nullptr) noexcept;
int async_cancel(stack9_id) noexcept;
int async_release(stack9_id) noexcept;

// Takes up to max ids that are over, each once.  0; EAGAIN: there are none.
int async_ready(arrival *, std::size_t max, std::size_t &count) noexcept;
// Gives the descriptor that can be read while there may be some.
int async_ready_fd(int &) noexcept;
inline constexpr std::uint32_t async_most_captures = 1'000'000;
int async_limit(std::uint32_t captures, std::size_t bytes) noexcept;

int async_submit_on(const async_event &, submitter *&, const char *&why)
    noexcept;
void async_submit_off(submitter *) noexcept;

} // namespace stack9
