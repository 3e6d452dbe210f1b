// Whether process_vm_readv(2) works at all.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9::tracing {

// False: it is not there (ENOSYS), or a seccomp filter forbids it.
bool can_read_processes() noexcept;

} // namespace stack9::tracing
