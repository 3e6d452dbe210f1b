// Declares processes whose threads note which word a copy of their stack must
// have where.  A test starts them, and kills and reaps them at its end.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <sys/types.h>

#include "core/seam/user_copy.h"
#include "lib/process.h"

using lib::in_child, lib::state_of, lib::wait_for_state;

// TSan takes every clone(2) for a fork(2): there, a thread traces always.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool processes_trace = false;
#elif !defined(__has_feature)
inline constexpr bool processes_trace = true;
#elif __has_feature(thread_sanitizer)
inline constexpr bool processes_trace = false;
#else
inline constexpr bool processes_trace = true;
#endif

enum class deed {
	futex, poll, read, nanosleep,	// for ever
	tick,		// wakes each millisecond
	spin,		// in user mode
	calls,		// getppid(2) all the time
	lead, follow,	// count; copy the leader's count
	vfork,		// waits for a child that waits for ever
	come_and_go,	// starts threads that end at once
	count_signals,	// spins, and counts SIGRTMIN
	on_other_stack,	// sleeps in a handler on a stack of its own
	deep,		// sleeps under 4 MiB of stack
};

struct note {
	std::uintptr_t	where;
	std::uintptr_t	what;
};

inline std::ostream &
operator<<(std::ostream &to, deed d)
{
	return to << static_cast<int>(d);
}

// One thread's, in memory that the test shares.
struct notes {
	std::atomic<pid_t>		tid;
	std::atomic<bool>		ready;
	std::array<note, 4>		returns;	// innermost first
	std::uintptr_t			stamps;		// where stamp_count are
	std::uintptr_t			count;		// where a counter is
	std::atomic<std::uint64_t>	rounds;
	std::atomic<std::uint64_t>	returned;	// calls that should not
	std::atomic<std::uint64_t>	signals;
};
inline constexpr std::size_t stamp_count = 32;
std::uintptr_t stamp(pid_t tid, std::size_t index);

class noted {
public:
	explicit noted(const std::vector<deed> &threads);
	explicit noted(deed d) : noted(std::vector<deed>{d}) {}
	~noted();
	noted(const noted &) = delete;

	pid_t pid() const { return pid_; }
	std::size_t size() const { return size_; }
	const notes &of(std::size_t i) const { return shared_[i]; }
	pid_t tid(std::size_t i = 0) const { return shared_[i].tid; }
	const notes *find(pid_t tid) const;	// or NULL
	void kill_and_reap();

private:
	pid_t		pid_ = -1;
	std::size_t	size_;
	notes		*shared_;
};

// "" if the copy has all that the thread has noted; otherwise what it lacks.
std::string fault_of(const stack9::user_copy &, const notes &);

// A word of the copy, whichever piece has it; 0 if none.
std::uint64_t word_at(const stack9::user_copy &, std::uintptr_t);

// A number of /proc/TID/status; 0: gone.
std::uint64_t status_number(pid_t tid, const char *key);

// Runs: its rounds grow, and nobody holds it.
void wait_until_it_goes_on(const notes &);
