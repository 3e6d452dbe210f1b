// Captures user stacks of any thread.  For a thread of another process a route
// copies registers and stack, and the copy is unwound when no thread is stopped
// any more.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/routes.h"
#include "core/seam/space.h"

#include "stopping.h"
#include "written.h"

namespace stack9 {

// Captures one user stack.  If kernel is not NULL, it gets the kernel stack, of
// the same moment where a route takes both.  The caller sets pcs and max in
// both; the call writes the rest.  user.space unwinds the copy.  If it is NULL,
// the space that the process has after the copy does; opened, if it is not
// NULL, keeps that space, and user.space is it.
void save_sides(const stack9_thread &td, stack_record *kernel,
    stack_record &user, stopping = stopping::allowed,
    unique_space *opened = nullptr) noexcept;

// Captures one user stack of any process, as stack9_save().  first is the frame
// where the stack begins if td is the caller; see save_self().
int save_user(const stack9_thread &td, stack_record &rec, const origin &first,
    stopping = stopping::allowed, unique_space *opened = nullptr) noexcept;

// Finds a space for the names of a stack that the kernel's side walked: that of
// the record, if it has all of its code.  opened is as for save_sides().
void find_space_of_walk(stack_record &, unique_space *opened) noexcept;

// Turns a copy into frames.  rec says whose copy it is, and rec.space what to
// unwind with.  by is the route that made the copy; it is asked for more of the
// stack where the walk lacks memory.  If by is NULL, there is no more.
// 0; EAGAIN: the thread ran before all of its stack was copied.  With in_part
// the stack ends there instead, if it was to go on by memory of another place.
// opened is as for save_sides().  when is for rec.written.
int unwind_copy(copying_route *by, user_copy &, stack_record &rec,
    unique_space *opened = nullptr, bool in_part = false,
    moment when = moment::asleep) noexcept;

} // namespace stack9
