// Gives access to the BPF objects that several routes share, and pins them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "bpf/object.h"
#include "bpf/record.h"

namespace stack9::bpf {

// True if the process sees tids of the init pid namespace, as programs do.
bool in_init_pid_ns() noexcept;

// The object of route "syscall", for this process's pid namespace.
object &one_object() noexcept;

// The object of route "snprintf".  Other objects bring such a program along:
// one_object(), and the one of route "user-syscall".
object &name_object() noexcept;

// True if the latter is loaded.  name_in_slot() runs it: see name.bpf.c.
// EBUSY: all slots are in use.  EBADF: it is not loaded.  Async-signal-safe.
bool user_one_names() noexcept;
int name_in_slot(s9_name &) noexcept;

// Implements stack9_pin(): keeps programs in bpffs from one process to the
// next.
int pin(const char *dir) noexcept;

} // namespace stack9::bpf
