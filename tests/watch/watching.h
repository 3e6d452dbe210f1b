// Runs a watch of the library and keeps its samples.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "core_calls.h"
#include "require.h"
#include "staged.h"

// One side of a sample.
struct kept_side {
	bool			 asked = false;
	int			 error = 0;
	stack9_why		 why = STACK9_WHY_NONE;
	std::string		 reason;
	unsigned int		 flags = 0;
	std::uint32_t		 dropped = 0;
	std::vector<uintptr_t>	 pcs;
	std::shared_ptr<stack9_space> space;	// user

	kept_side() = default;
	explicit kept_side(const stack9::stack_record *);
	std::vector<std::string> names() const;
	bool has(const std::string &function) const;
};

struct kept_sample {
	stack9_thread	thread;
	std::string	comm, event;
	int		cpu;
	std::uint64_t	when_ns, events, weight_ns, dropped;
	kept_side	kernel, user;
	int		waking = 0;
	stack9_thread	waker{};
	kept_side	waker_kernel, waker_user;
};

// Makes the usual sinks; tests change members afterwards.
stack9::watch_sink counted(stack9_side, unsigned int flags = 0);
// Counts user stacks, with room for the copies that are made until the rules
// are known, even if the reader is late.
stack9::watch_sink roomy();
stack9::watch_sink streamed(stack9_side, unsigned int flags = 0);
stack9::watch_filter only(pid_t pid);

// Flags for user stacks that are copied, and by frame pointers.
inline constexpr unsigned int either_walk[] = {0, STACK9_WATCH_FRAME_POINTERS};

class watching {
public:
	// Requires that stack9_watch() succeeds.
	watching(const std::string &event, const stack9::watch_filter &,
	    const stack9::watch_sink &);
	watching(const watching &) = delete;
	~watching() { core::watch_close(watch_); }

	stack9::event_watcher *get() const { return watch_; }
	int	read(int timeout_ms);
	// Has the program begin and reads until it says that it is done.
	void	all_of(staged &);
	void	until_done(staged &);
	// Stops the watch and reads all counts; of a stream, the rest.
	void	end();
	void	count();	// samples become the counts so far
	stack9::watch_totals tally() const;

	std::vector<kept_sample>	samples;

private:
	static int take(void *arg, const stack9::watch_sample *);

	stack9::event_watcher	*watch_ = nullptr;
	stack9::watch_sink	 sink_;
};

// The events whose stack goes through the function; "": all events.
std::uint64_t events_in(const std::vector<kept_sample> &,
    const std::string &function = "");
std::uint64_t weight_in(const std::vector<kept_sample> &,
    const std::string &function = "");

// Calls stack9_watch() for its answer and its reason, and closes the watch.
struct refusal {
	int		error;
	std::string	reason;
};
refusal refused(const std::string &event, const stack9::watch_filter &filter =
    {},
    stack9::watch_sink sink = counted(STACK9_KERNEL));

// Skips a case if something is lacking; "": nothing is.
boost::unit_test::decorator::precondition unless(
    std::function<std::string()> lack);
// Skips a case if the event cannot be watched, with the library's reason.
boost::unit_test::decorator::precondition watchable(const char *event);
// Skips a case before 5.15: user stacks cannot be copied, and a program does
// not know for which of several events it runs.
boost::unit_test::decorator::precondition copied();

// Checks the parts of the sum that the header promises.
void check_sum(const stack9::watch_totals &);

// True if the kernel hid some of a number of events from the programs, as one
// that preempts them may, and the test is to be made again; left goes down.
bool is_made_again(const stack9::watch_totals &, std::uint64_t events,
    int &left);

// Its counts, for one who has to find out where events were lost.
std::string told(const stack9::watch_totals &);
