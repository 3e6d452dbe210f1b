// Makes streams of the asynchronous captures of core/, whose ids and whose list
// of ready ones belong to the whole process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <vector>

#include <unistd.h>

#include "core/async.h"
#include "os/event_flag.h"

// Opaque to callers.  The streams' lock guards all members but the descriptors.
struct stack9_async {
	// An event that submits threads to the stream.
	struct event {
		stack9::submitter	*by;
		std::uint64_t		 number;	// of the process
	};

	std::deque<stack9_ready>	ready;		// over, not yet taken
	std::vector<event>		events;
	std::uint64_t			dropped = 0;	// not yet reported
	stack9::event_flag		has_ready;
	stack9::unique_fd		all;		// an epoll of both this
							// and the process's
	const pid_t			owner = getpid();
};

namespace stack9 {

// The submissions of all streams of the process.
class streams {
public:
	// Those of the calling process.  Never destroyed, because other threads
	// may use them while the program exits.
	static streams &of_process();

	int open(stack9_async &) noexcept;
	void close(stack9_async &) noexcept;
	// why: as for async_submit().
	int submit(stack9_async &, const stack9_thread &, stack9_side,
	    bool wake, std::uint64_t cookie, stack9_id &, const char *&why);
	int watch(stack9_async &, const async_event &, const char *&why);
	int next(stack9_async &, stack9_ready &);
	int cancel(stack9_async &, stack9_id) noexcept;
	int release(stack9_async &, stack9_id) noexcept;
	// True if the id is one of the stream's; gives its cookie.
	bool find(const stack9_async &, stack9_id, std::uint64_t &cookie);

private:
	// The stream of a submission, or of an event, and the caller's cookie.
	struct owner {
		stack9_async	*stream;
		std::uint64_t	 cookie;
	};

	void sort_out();
	void sort_out(const arrival &);
	static void show(stack9_async &) noexcept;

	std::mutex		lock_;
	std::unordered_map<stack9_id, owner> submissions_;
	std::unordered_map<std::uint64_t, owner> events_;	// by number
	std::uint64_t		last_event_ = 0;
};

} // namespace stack9
