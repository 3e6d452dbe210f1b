// Defines a watch of events and their stacks.  A route of job::events makes it.
// Backends implement it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <string>
#include <string_view>

#include <stack9_watch.h>
#include <stack9/bpf_stack.h>

#include "record.h"

namespace stack9 {

// The events that pass.  A member that is 0 lets every event pass.
struct watch_filter {
	pid_t		 pid;
	pid_t		 tid;
	const char	*comm;		// or NULL
	const char	*cgroup;	// or NULL
	unsigned int	 flags;		// STACK9_WATCH_ONE_CPU, _REGEX, _OTHERS
	int		 cpu;		// STACK9_WATCH_ONE_CPU: this one
	std::uint64_t	 limit;		// so many events, exactly; 0: all
	std::uint64_t	 min_ns;
	std::uint64_t	 max_ns;	// 0: no limit
};

// The waker of a thread that was blocked.
struct watch_waker {
	int		 what;		// STACK9_WAKER_...
	stack9_thread	 thread;	// counted: tid 0; 0 also if it is no
					// thread
	char		 comm[17];	// likewise
	const stack_record *kernel;	// NULL: not asked for
	const stack_record *user;
};

// One event, or all that had the same stacks.
struct watch_sample {
	stack9_thread	 thread;	// counted: tid 0, and pid 0 if
					// processes are not counted separately
	char		 comm[17];	// the thread's name; counted: that of
					// the process when it was first seen
	int		 cpu;		// counted: -1
	std::uint64_t	 when_ns;	// CLOCK_BOOTTIME; counted: 0
	std::uint64_t	 events;	// 1; counted: their number
	std::uint64_t	 weight_ns;	// offcpu: the time blocked, in total
	const char	*event;		// its name; NULL: several, not
					// distinguished
	std::uint64_t	 cookie;	// of a trigger, or 0
	std::uint64_t	 dropped;	// events of the stream that were lost
					// since the last sample
	// NULL: not asked for; depth 0: error and why give the reason.
	const stack_record *kernel;
	const stack_record *user;
	const watch_waker *waker;	// NULL: not asked for, or not seen
};
// The sample is valid during the call.  A value other than 0 ends the call that
// called it; that call returns it.
using watch_sample_fn = int(void *arg, const watch_sample *);

// A flag of a sink that no caller of stack9_watch_open() can give: a trigger
// does not take what programs print.
inline constexpr unsigned int watch_calls_only = 0x80000000u;

// The treatment of events.  For a member that is 0 there is a default.
struct watch_sink {
	int		 what;		// STACK9_WATCH_COUNT or _STREAM
	stack9_side	 side;
	unsigned int	 flags;		// STACK9_WATCH_BY_PROCESS, ...
	std::uint32_t	 frames;
	std::uint32_t	 stacks;
	std::size_t	 ring;
	std::size_t	 rules;		// bytes
	watch_sample_fn	*fn;
	void		*arg;
};

// The numbers of a tally, and one for tests.
struct watch_totals : stack9_tally {
	// With STACK9_WALK=compare:
	std::uint64_t	differing;	// of the copied: walked, too, and
					// otherwise
	std::uint64_t	asleep;		// of those with a language: their
					// thread was captured once more
	std::uint64_t	unlike;		// of these: with other functions
};

// The functions return as the public calls of their names do, or what fn
// returned, and may throw std::bad_alloc.
class event_watcher {
public:
	virtual ~event_watcher() = default;

	virtual int fd() const noexcept = 0;
	// Ends early, with EAGAIN, if the descriptor of interrupt_by() can be
	// read.
	virtual int read(int timeout_ms) = 0;
	virtual void interrupt_by(int fd) noexcept = 0;
	virtual int counts() = 0;
	virtual int stop() = 0;
	virtual int counted(watch_totals &) = 0;
	virtual int each_event(stack9_event_fn *, void *arg) const = 0;

	// A watch may lend its programs to those of others.  It has maps that
	// these share, by their names (ENOENT), and takes an event whose stack
	// one of them was given.
	virtual int border(std::string_view, int &) { return EOPNOTSUPP; }
	virtual int take(const stack9_bpf_stack &) { return EOPNOTSUPP; }
};

// The request of a caller.
struct watch_request {
	std::string		event;
	watch_filter		filter;
	watch_sink		sink;
};

} // namespace stack9
