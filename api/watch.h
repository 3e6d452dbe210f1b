// Turns watches of core/ into those of <stack9_watch.h>: samples, waking, and
// the end of the process that is watched.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <unistd.h>

#include "core/seam/watch.h"
#include "os/event_flag.h"

#include "options.h"
#include "sample.h"

namespace stack9 {

// Reads the options.  Returns NULL, or which member is wrong.
const char *read_watch_options(const stack9_watch_options *,
    stack9_watch_options &) noexcept;

inline constexpr char of_another_process[] =
    "watch is the parent's: a child has none of its parent's watches";

// Opens a pidfd of the process or the thread that is watched, and stores -1 if
// neither is.  0; ESRCH; EMFILE...
int open_watched(const stack9_watch_options &, unique_fd &) noexcept;

} // namespace stack9

// Opaque to callers.
struct stack9_watch {
public:
	explicit stack9_watch(const stack9_watch_options &o)
	    : options_(o) {}
	stack9_watch(const stack9_watch &) = delete;
	stack9_watch &operator=(const stack9_watch &) = delete;

	int open(const char *events, std::string &why);
	int read(int timeout_ms, stack9_sample_fn *, void *arg);
	int each(stack9_sample_fn *, void *arg);
	int wake() noexcept;
	int stop();
	int tally(stack9::watch_totals &);
	int events(stack9_event_fn *, void *arg);
	// See event_watcher.
	int map(const char *name, int &fd);
	int take(const stack9_bpf_stack &, stack9_sample_fn *, void *arg);
	int
	fd() const noexcept
	{
		return is_mine() ? all_.get() : -1;
	}

private:
	static int	deliver(void *arg, const stack9::watch_sample *);
	void	show(stack9::lent_sample &, const stack9::stack_record *kernel,
		    const stack9::stack_record *user, const stack9_thread &);
	template <class Call>
	int	call(stack9_sample_fn *, void *arg, Call);
	int	wait(int timeout_ms);
	bool	is_woken() const noexcept { return woken_.lower() == 0; }
	bool	has_ended() const noexcept;
	bool	is_mine() const noexcept { return owner_ == getpid(); }

	const stack9_watch_options	options_;
	stack9::event_flag		woken_;
	stack9::unique_fd		watched_;	// a pidfd, or none
	stack9::unique_fd		signs_;		// an epoll of both
	stack9::unique_fd		all_;		// and of the events
	std::unique_ptr<stack9::event_watcher> by_;
	stack9::lent_sample		lent_, waker_;
	// Names nothing.  Made when an event needs it.
	stack9::unique_space		nowhere_;
	// The function of the call under way; NULL: there is none.
	stack9_sample_fn		*fn_ = nullptr;
	void				*arg_ = nullptr;
	bool				calling_ = false;
	const pid_t			owner_ = getpid();
};
