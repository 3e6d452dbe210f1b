// Makes a process whose threads know what they wait for, and who holds it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>

#include <sys/types.h>

inline constexpr int most_actors = 64;

// One thread of a scene.
struct actor {
	pid_t	tid, pid;
	int	kind;		// of its wait; -1: any
	int	holder;		// number of the one it waits for; -1: none
	bool	by_process;	// the holder is the actor's process
};

// The memory that the scene's process and the test share.
struct stage {
	actor	actors[most_actors];
	int	count;		// that have begun
	int	ready;		// all is as it should be, except the waits
};

// A child process that play() runs in.  It is killed and reaped when it goes,
// with its own children.
class scene {
public:
	explicit scene(const std::function<void(stage &)> &play);
	~scene();
	scene(const scene &) = delete;
	scene &operator=(const scene &) = delete;

	stage	&get() { return *stage_; }
	pid_t	pid() const { return pid_; }

private:
	stage	*stage_;
	pid_t	 pid_;
};

// Begins a thread of the calling process.  It notes itself in the stage under
// this number and does f; the call returns once it has noted itself.
void act(stage &, int number, int kind, int holder, std::function<void()> f,
    bool by_process = false);
// Begins a process that does f, notes itself and waits for ever.
void begin_process(stage &, int number, const std::function<void()> &f);
// Returns once so many have begun.
void wait_for_actors(const stage &, int many);
// Returns once it is so, or after a minute at least: the checks of the scene
// say what is wrong then.
void wait_until(const std::function<bool()> &is_so);
// Waits in the same way until the thread sleeps in that system call and no
// signal can wake it: state D.
void wait_for_disk_sleep(pid_t tid, long call);
// Notes the calling thread.
void note(stage &, int number, int kind, int holder, bool by_process = false);

// How often a thread left its CPU, as /proc has it.
std::uint64_t switches_in_proc(pid_t tid);

// Returns true if the kernel says for which of its locks a thread waits.
bool reports_locks();
