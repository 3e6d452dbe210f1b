// Declares the process that starts readers: one that a file has crashed is not
// the last one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include <sys/types.h>

#include "os/unique_fd.h"

#include "channel.h"

namespace stack9::sandbox {

// It begins as the program does, before that has anything which a file could
// learn, and it reads no file itself.  Each reader is its twin, and a child of
// the program.
class starter {
public:
	// shared: the halves of a tray.  Readers have them, too.
	starter(channel c, pid_t pid, std::byte *shared) noexcept
	    : channel_(std::move(c)), pid_(pid), shared_(shared) {}

	std::byte *shared() const noexcept { return shared_; }

	// Asks for a reader, and gives the socket that leads to it.  0, or an
	// errno.
	int ask(unique_fd &socket) noexcept;
	// Waits for the answer: its pid.  0, or an errno.
	int answer(pid_t &) noexcept;
	void end() noexcept;

private:
	channel		channel_;
	const pid_t	pid_;
	std::byte	*const shared_;
};

// Becomes that process: gives up all rights and starts readers until the other
// side is gone.
[[noreturn]] void start_readers(unique_fd socket, std::byte *shared) noexcept;

// Kills a child and waits for its end, a second at most: while it waits for a
// server of files it cannot be killed.  Gives its status, -1: it is not known.
int end_child(pid_t) noexcept;

} // namespace stack9::sandbox
