// Gives access to the BPF objects that several routes share, and pins them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "bpf/object.h"

namespace stack9::bpf {

// Whether the process sees tids of the init pid namespace, as programs do.
bool in_init_pid_ns() noexcept;

// The object behind route "syscall", for this process's pid namespace.
object &one_object() noexcept;

// The object of route "snprintf".  Its program is this object's, or the one
// that came with one_object(); -1: none is loaded.
object &name_object() noexcept;
int name_program() noexcept;

// Implements stack9_pin(): keeps programs in bpffs from one process to the
// next.
int pin(const char *dir) noexcept;

} // namespace stack9::bpf
