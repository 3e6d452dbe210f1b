// Declares the objects of sysctl(9) that the library answers by itself, where
// the program has none: kern.proc, the processes of this machine.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

#include <stack9/sys/sysctl.h>

namespace stack9 {

// Returns the number of a part of kern.proc: "pid", "pid_td", "kstack".
// -1: there is none.
int native_number(std::string_view name) noexcept;

// Returns true if {CTL_KERN, KERN_PROC, what, ...} is such an object.
bool is_native(const int *name, unsigned int count) noexcept;

// Answers a request for such an object.  0; ENOENT; ESRCH: no such process;
// EINVAL; EPERM: the caller may not know; EOPNOTSUPP; ENOMEM: the answer does
// not fit.  Throws std::bad_alloc.
int answer_native(const int *name, unsigned int count, struct sysctl_req &);

// The parts of it.
int answer_processes(int what, int of, struct sysctl_req &);
int answer_kstacks(pid_t, struct sysctl_req &);

} // namespace stack9
