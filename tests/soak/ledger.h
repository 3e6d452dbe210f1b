// Keeps what the threads of a random program know of themselves: who waits for
// what since when, who holds it, and how deep their stacks are.  It lies in
// memory that they share with the judge.
//
// A thread notes before it begins and after it has ended, so that what is noted
// holds at least as long as what is so.  Turns of a lock are noted while it is
// held, and so are in the lock's own order; and before the wait for the lock is
// noted as ended, so that who is neither in a turn nor in a wait has no lock.
// However slowly a thread gets on, nothing is so that is noted nowhere.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include <pthread.h>
#include <semaphore.h>
#include <sys/types.h>

namespace soak {

enum class thing : std::uint8_t {
	// These have an owner.
	mutex, robust, inherits, rw, flocked, described, posix,
	// Nobody owns these.
	condition, semaphore, barrier, word, event,
	// The other end is another process's, or the own one's.
	piped, paired, polled,
	// These name the one that they wait for.
	join, child,
	sleep
};

constexpr bool
has_owner(thing t)
{
	return t <= thing::posix;
}
constexpr bool
is_file(thing t)
{
	return t >= thing::flocked && t <= thing::posix;
}

inline constexpr int most_actors = 48, most_processes = 4, most_objects = 28,
    most_members = 10;

// The newest entries of what was noted.  One thread at a time writes.
template <class T, std::uint32_t kept> struct kept_log {
	std::atomic<std::uint32_t> count;
	T	all[kept];

	T &of(std::uint32_t n) { return all[n % kept]; }
	const T &of(std::uint32_t n) const { return all[n % kept]; }
	T &next() { return of(count.load()); }
	void publish() { count.fetch_add(1); }
	// Returns true if what was read of entry n was that of entry n.
	bool had(std::uint32_t n) const { return count.load() - n < kept; }
};

struct turn {
	std::int32_t	actor;
	std::uint64_t	taken, release, released;	// 0: not yet
};

struct object {
	thing		kind;
	int		process;	// -1: all of them share it
	std::atomic<std::uint64_t> address;	// in its process
	char		path[64];	// of a file
	int		reader, writer;	// processes that have a pipe's ends
	int		ends[2];
	bool		of_group;	// members of a deadlock alone take it

	pthread_mutex_t	mutex;
	pthread_rwlock_t rw;
	pthread_cond_t	condition;
	pthread_barrier_t barrier;
	sem_t		semaphore;
	std::uint32_t	word;

	kept_log<turn, 1 << 14> turns;
};

struct noted {
	thing		kind;
	bool		reads;
	std::int32_t	object;		// -1: none
	pid_t		target;		// of join and child
	std::uint64_t	begin;
};

struct wait {
	noted		what;
	std::atomic<std::uint64_t> end;	// 0: not yet
};

// One way into the depth of a stack and out of it.
struct visit {
	std::uint32_t	frames;		// of deep(), at its innermost
	bool		spoiled;	// one of the frames, while it is there
	std::uint64_t	begin;
	std::atomic<std::uint64_t> inner, leave, end;
};

// It is noted before the child is there, and its pid later.
struct born_child {
	pid_t		parent;
	std::uint64_t	begin;
	std::atomic<pid_t> pid;		// 0: not yet; -1: there is none
};

struct actor {
	std::atomic<pid_t> tid;
	pid_t		pid;
	int		process;
	std::uint64_t	outermost;	// address of its stack's last frame
	kept_log<wait, 1 << 13> waits;
	kept_log<visit, 1 << 13> visits;
};

// Threads that wait for one another, and for nobody else.
struct group {
	int		members;
	int		actors[most_members];
	bool		timed, by_files;
	std::atomic<int> ready;
	std::atomic<std::uint64_t> stuck[most_members];	// when the wait began
};

struct ledger {
	int		processes;
	pid_t		pids[most_processes];
	int		actor_count, object_count;
	std::uint64_t	longest_ns;	// that a lock is held
	std::atomic<int> begun, ready;	// processes and threads; 1: all have
	kept_log<born_child, 1 << 14> children;
	group		stuck;
	object		objects[most_objects];
	actor		actors[most_actors];
};

std::uint64_t now_ns();

// Notes a wait of an actor as long as it lives.
class noted_wait {
public:
	noted_wait(actor &, thing, int object, bool reads = false,
	    pid_t target = 0);
	~noted_wait() { at_.end.store(now_ns()); }
	noted_wait(const noted_wait &) = delete;
	noted_wait &operator=(const noted_wait &) = delete;

private:
	wait	&at_;
};

// Notes that the actor has the lock now.  Gives the turn, where the release is
// to be noted.
turn &note_taken(ledger &, int object, int actor);

} // namespace soak
