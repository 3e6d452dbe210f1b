// Gives access to the object behind route "syscall", which can be pinned.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "bpf/object.h"

namespace stack9::bpf {

// Whether the process sees tids of the init pid namespace, as programs do.
bool in_init_pid_ns() noexcept;

object &one_object() noexcept;	// the one for this process's pid namespace

} // namespace stack9::bpf
