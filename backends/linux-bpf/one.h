// The object behind route "syscall", which is also the one that is pinned.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "bpf/object.h"

namespace stack9::bpf {

// Whether tids are those of the init pid namespace, which programs go by.
bool in_init_pid_ns() noexcept;

object &one_object() noexcept;	// the one for this process's pid namespace

} // namespace stack9::bpf
