// A watch of the library's, and what it has given.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <stack9_watch.h>

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
	explicit kept_side(const stack9_record *);
	std::vector<std::string> names() const;
	bool has(const std::string &function) const;
};

struct kept_sample {
	stack9_thread	thread;
	std::string	comm, event;
	int		cpu;
	std::uint64_t	when_ns, events, weight_ns, dropped;
	kept_side	kernel, user;
};

// The usual sinks; what is to be different is set afterwards.
stack9_sink counted(stack9_side, unsigned int flags = 0);
stack9_sink streamed(stack9_side, unsigned int flags = 0);
stack9_filter only(pid_t pid);

// Flags: user stacks copied, and by frame pointers.
inline constexpr unsigned int either_walk[] = {0, STACK9_BY_FRAME_POINTERS};

class watching {
public:
	// Requires that it succeeds.
	watching(const std::string &event, const stack9_filter &,
	    const stack9_sink &);
	watching(const watching &) = delete;
	~watching() { stack9_watch_close(watch_); }

	stack9_watcher *get() const { return watch_; }
	int	read(int timeout_ms);
	// Begins what it does and reads until it has said that it is done.
	void	all_of(staged &);
	void	until_done(staged &);
	// Stops it and takes what there is; of a stream, what is left.
	void	end();
	void	count();	// samples are what has been counted so far
	stack9_watch_tally tally() const;

	std::vector<kept_sample>	samples;

private:
	static int take(void *arg, const stack9_sample *);

	stack9_watcher	*watch_ = nullptr;
	stack9_sink	 sink_;
};

// Of those whose stack goes through the function; "": of all.
std::uint64_t events_in(const std::vector<kept_sample> &,
    const std::string &function = "");
std::uint64_t weight_in(const std::vector<kept_sample> &,
    const std::string &function = "");

// What stack9_watch() answers, and its reason; nothing is left of it.
struct refusal {
	int		error;
	std::string	reason;
};
refusal refused(const std::string &event, const stack9_filter &filter = {},
    stack9_sink sink = counted(STACK9_KERNEL));

// Skips a case where something is lacking; "": nothing is.
boost::unit_test::decorator::precondition unless(
    std::function<std::string()> lack);
// ... where the event cannot be watched, with the library's reason.
boost::unit_test::decorator::precondition watchable(const char *event);
// ... where user stacks cannot be copied, nor a program know which of several
// events it is run for: before 5.15.
boost::unit_test::decorator::precondition copied();

// The parts of the sum that the header promises.
void check_sum(const stack9_watch_tally &);
