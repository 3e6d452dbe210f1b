// Declares how a process gives up all that it could do to others.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9::sandbox {

enum class user { same, of_its_own };

// Keeps the caller's real ids, no capability, and of all descriptors only
// `kept`; descriptors 0 to 2 become /dev/null.  Nobody may trace it from then
// on. of_its_own: root becomes a user that nobody else is, if it may.  0; or an
// errno: then the process must not go on.
int give_up_rights(int kept, user) noexcept;

// From now on the process can do nothing to other processes, and use neither
// BPF nor anything of that kind.  Files and sockets stay.  As
// refuse_system_calls().
int refuse_acts() noexcept;

// Has calls of open(2) that a filter refuses answered by this process.  It
// comes before the filters below.  0; or an errno.
int catch_refused_calls() noexcept;

// From now on the process can compute, use the descriptors that it has or is
// sent, make a sibling of itself (start_twin() in starter.cc), and exit.  Every
// other system call fails with EPERM; open(2) fails with EACCES, unless it
// names a descriptor of this process in /proc.  0; or an errno: then the
// process must not go on.
int refuse_all_but_starts() noexcept;

// The same, and it can make no sibling.  It may come after the one before.
int refuse_system_calls() noexcept;

} // namespace stack9::sandbox
