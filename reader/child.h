// Declares the life of the reader's process, as its parent sees it.
//
// It may end at any time: a file crashes it, or somebody kills or stops it.
// Then another one is started, as far as starts.h allows that.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include <sys/types.h>
#include <unistd.h>

#include "channel.h"
#include "starter.h"
#include "starts.h"

namespace stack9::sandbox {

class child {
public:
	explicit child(starter s) noexcept : starter_(std::move(s)) {}

	// Has one started.  It is not waited for.  0, or an errno.
	int begin() noexcept;
	// Has another one started.  False: why() says why not.
	bool start() noexcept;
	// Waits, once, until it has given up its rights.  in: a buffer.  False:
	// it did not, and has to be ended.
	bool greet(message &in) noexcept;
	// Asks the kernel, because a process that ended while it had nothing to
	// do would be noticed only by the loss of the next question.  False: it
	// has ended or was stopped.
	bool is_well() noexcept;
	// Ends it, and finds out why.  asked_about: the process whose files it
	// was reading, or 0.  too_far: it asked for what there is not.
	void give_up(pid_t asked_about, bool too_far) noexcept;
	// The program exits.  is_idle: no other thread is asking.
	void end(bool is_idle) noexcept;
	// This process is a fork of the reader's.
	void leave() noexcept { is_forked_ = true; }

	// The halves of the shared buffer.
	std::byte *shared() const noexcept { return starter_.shared(); }
	bool is_forked() const noexcept { return is_forked_; }
	bool is_ours() const noexcept { return owner_ == getpid(); }
	bool has_ended() const noexcept { return ended_; }
	// Counts those that were started.
	std::uint64_t generation() const noexcept { return generation_; }
	// The last one was ended by somebody, and by no file.
	bool was_killed() const noexcept { return was_killed_; }
	void forget_kill() noexcept { was_killed_ = false; }
	// It is not asked about this process for some time.
	bool avoids(pid_t) const noexcept;
	// Why the last one has ended, or could not be started.
	const char *why() const noexcept;
	pid_t pid() const noexcept
	    { return pid_.load(std::memory_order_relaxed); }
	channel &link() noexcept { return channel_; }

private:
	starter		starter_;
	channel		channel_{unique_fd()};
	std::atomic<pid_t> pid_{-1};
	starts		starts_;
	const pid_t	owner_ = getpid();
	std::atomic<bool> is_forked_{false};
	bool		asked_ = false, greeted_ = false, ended_ = true;
	bool		may_start_ = true, is_born_ = true;
	bool		was_killed_ = false;
	std::uint64_t	generation_ = 0;
	const char	*reason_ = nullptr;
};

} // namespace stack9::sandbox
