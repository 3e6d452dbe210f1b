// From what a program saw to what a caller is told: one look, judged.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

#include "record.h"

namespace stack9::bpf {

// Who was seen: name, state, cpu, time and identity into rec.  0, or ESRCH
// when it is not the thread that td names or it is dead.
int validate_identity(const s9_record &seen, const stack9_thread &td,
    stack9_record &rec) noexcept;

// A thread off a CPU: 0, or EAGAIN (on a CPU, with the lead to it; ran
// meanwhile), ESRCH.  On 0 the frames are in rec, and why is
// STACK9_WHY_UNWIND if the walk ended at no known root.
int validate_sleeper(const s9_record &seen, const stack9_thread &td,
    stack9_record &rec, lead &l) noexcept;

// Frames [from, depth of seen) into rec, as far as there is room.
void copy_frames(const s9_record &seen, std::uint32_t from,
    stack9_record &rec) noexcept;

// Whether a stack of this depth was cut by the kernel or by our room.
bool is_truncated(std::uint32_t depth) noexcept;

// A helper's refusal: EAGAIN or ESRCH, with a why.
int validate_refusal(const s9_record &seen, stack9_record &rec) noexcept;

// Boot time in the caller's time namespace, in clock ticks, as
// /proc/TID/stat has it.
std::uint64_t start_ticks(const s9_record &seen) noexcept;

} // namespace stack9::bpf
