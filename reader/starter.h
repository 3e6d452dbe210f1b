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
	// shared: the halves of the shared buffer.  Readers have them, too.
	// once: the process is a reader itself, and the only one.
	starter(unique_fd socket, pid_t pid, std::byte *shared, bool once)
	    noexcept : channel_(std::move(socket)), pid_(pid), shared_(shared),
	      once_(once) {}

	std::byte *shared() const noexcept { return shared_; }

	// Asks for a reader, and gives the socket that leads to it.  0, or an
	// errno; ECHILD: there was only one.
	int ask(unique_fd &socket) noexcept;
	// Waits for the answer: its pid.  0, or an errno.
	int answer(pid_t &) noexcept;
	// Kills it.  It is to be waited for by its pid.
	void kill() noexcept;
	pid_t pid() const noexcept { return pid_; }

private:
	channel		channel_;
	const pid_t	pid_;
	std::byte	*const shared_;
	const bool	once_;
};

// Becomes that process: gives up all rights and starts readers until the other
// side is gone.  once: becomes a reader.
[[noreturn]] void start_readers(unique_fd socket, std::byte *shared, bool once)
    noexcept;

// Kills a child, if it is one.
void kill_child(pid_t) noexcept;
// Waits for its end, a second at most: while it waits for a server of files it
// cannot be killed.  Gives its status, -1: it is not known.
int await_child(pid_t) noexcept;

} // namespace stack9::sandbox
