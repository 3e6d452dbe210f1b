// Declares how the process that speaks with servers gives up all else.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace servers {

// Keeps one descriptor, no capability, and for root a user that nobody else is,
// where the kernel maps one.  From then on the process can read files as that
// user, connect and start twins of itself; it can change no file, and do
// nothing to other processes.  0; or an errno: then it must not go on.
int confine(int kept) noexcept;

// The process starts nothing any more, but threads.  0, or an errno.
int start_nothing() noexcept;

// For a process that sends its own files: no capability, and the calls are
// refused that trace, signal, start programs or use BPF.  0, or an errno.
int refuse_acts() noexcept;

} // namespace servers
