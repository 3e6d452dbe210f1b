// Declares the options of watches and what a watch reports, as values of C++.
// Programs include <stack9_watch.hpp>; that includes this file.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_CXX_WATCH_OPTIONS_HPP
#define STACK9_CXX_WATCH_OPTIONS_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <stack9/cxx/result.hpp>
#include <stack9/cxx/sample.hpp>
#include <stack9/cxx/thread.hpp>
#include <stack9_watch.h>

namespace stack9 {
inline namespace v0 {

static_assert(static_cast<int>(waking::thread) == STACK9_WAKER_THREAD &&
    static_cast<int>(waking::interrupt) == STACK9_WAKER_INTERRUPT &&
    static_cast<int>(waking::unknown) == STACK9_WAKER_UNKNOWN);

enum class watch_mode {
	count = STACK9_WATCH_COUNT,	// counted, given by for_each()
	stream = STACK9_WATCH_STREAM	// each event, given by read()
};

// The events that pass, and their treatment.  Defaults: every event is counted.
struct watch_options {
	watch_mode	mode = watch_mode::count;
	stack9::side	side = stack9::side::both;
	pid_t		pid = 0;	// events of this process
	pid_t		tid = 0;	// events of this thread
	std::optional<std::int32_t> cpu{}; // events on this CPU
	bool		regex = false;	// names of events are POSIX extended
					// regular expressions
	bool		others = false;	// no event of the calling process
	bool		by_process = false; // count each process separately
	bool		copy = false;	// user side: none by learned rules
	bool		native = false;	// user side: no functions of languages
	bool		wakers = false;	// offcpu: samples have their wakers
	bool		frame_pointers = false; // user side: by frame pointers,
					// in the kernel
	std::uint32_t	frames = 0;	// of a side, at most; 0: as many as
					// kernel.perf_event_max_stack says
	std::uint32_t	stacks = 0;	// distinct stacks in the kernel's
					// tables; 0: 65536
	std::uint64_t	ring = 0;	// bytes; see <stack9_watch.h>
	std::uint64_t	limit = 0;	// so many events, exactly
	std::chrono::nanoseconds min{0}; // offcpu: blocked at least so long,
	std::chrono::nanoseconds max{0}; // and at most so long
	std::string	comm{};		// events of threads of this name
	std::string	cgroup{};	// events in this directory of cgroup v2
	std::uint64_t	cookie = 0;	// given back in each sample
	std::uint64_t	rules = 0;	// bytes of learned rules, at most
};

// The outcome of watch::read().
enum class reading {
	events,		// events were read
	none,		// no event arrived in time
	stopped,	// the callable ended the call; the next one goes on
	ended,		// the process or thread of the options has ended, and
			// all of its events have been read
	woken		// a signal came, or wake() was called
};

// The events that passed, by their outcome; see <stack9_watch.h>.
struct tally {
	std::uint32_t	frames = 0, probes = 0;
	bool		no_walk = false; // this kernel cannot walk user sides
	std::uint64_t	events = 0, kept = 0, spilled = 0, no_room = 0;
	std::uint64_t	nested = 0, stacks = 0, truncated = 0, skipped = 0;
	std::uint64_t	walked = 0, copied = 0, refused = 0, remembered = 0;
	std::uint64_t	lacking = 0;
};

namespace detail {

// Points into the options it was made of.
inline ::stack9_watch_options
options_of(const watch_options &from) noexcept
{
	const auto flag = [](bool is, unsigned int f) { return is ? f : 0u; };
	const auto text = [](const std::string &s) {
		return s.empty() ? nullptr : s.c_str();
	};
	::stack9_watch_options o{};
	o.size = sizeof o;
	o.flags = flag(from.cpu.has_value(), STACK9_WATCH_ONE_CPU) |
	    flag(from.regex, STACK9_WATCH_REGEX) |
	    flag(from.others, STACK9_WATCH_OTHERS) |
	    flag(from.by_process, STACK9_WATCH_BY_PROCESS) |
	    flag(from.frame_pointers, STACK9_WATCH_FRAME_POINTERS) |
	    flag(from.copy, STACK9_WATCH_COPY) |
	    flag(from.native, STACK9_WATCH_NATIVE) |
	    flag(from.wakers, STACK9_WATCH_WAKERS);
	o.mode = static_cast<std::int32_t>(from.mode);
	o.side = static_cast<std::int32_t>(from.side);
	o.pid = from.pid;
	o.tid = from.tid;
	o.cpu = from.cpu.value_or(0);
	o.frames = from.frames;
	o.stacks = from.stacks;
	o.ring = from.ring;
	o.limit = from.limit;
	o.min_ns = static_cast<std::uint64_t>(from.min.count());
	o.max_ns = static_cast<std::uint64_t>(from.max.count());
	o.comm = text(from.comm);
	o.cgroup = text(from.cgroup);
	o.cookie = from.cookie;
	o.rules = from.rules;
	return o;
}

inline result<reading>
reading_of(int error)
{
	switch (error) {
	case EAGAIN:
		return reading::none;
	case ECANCELED:
		return reading::stopped;
	case ESRCH:
		return reading::ended;
	case EINTR:
		return reading::woken;
	}
	return result_of(error, reading::events);
}

} // namespace detail

} // namespace v0
} // namespace stack9

#endif // STACK9_CXX_WATCH_OPTIONS_HPP
