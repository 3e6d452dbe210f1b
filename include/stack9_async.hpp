// Declares asynchronous captures for C++, which release themselves.  The header
// needs only <stack9_async.h>, and C++17.
//
//	stack9::submission s;
//	stack9::capture kernel, user;
//	if (s.submit(td) == 0)
//		while (s.collect(kernel, user) == EAGAIN)
//			...		// poll(2) on stack9::ready_fd()
//
// Errors are the errno values of <stack9_async.h>.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_ASYNC_HPP
#define STACK9_ASYNC_HPP

#include <stack9.hpp>
#include <stack9_async.h>

namespace stack9 {

using capture_id = ::stack9_id;
using arrival = ::stack9_arrival;

// One submission, under way or over.  The destructor releases it.
class submission {
public:
	submission() noexcept = default;
	// A submission that an event made.
	explicit submission(const arrival &a) noexcept : id_(a.id) {}
	submission(submission &&o) noexcept : id_(o.give_up()) {}
	submission &
	operator=(submission &&o) noexcept
	{
		if (this != &o) {
			reset();
			id_ = o.give_up();
		}
		return *this;
	}
	~submission() { reset(); }

	int
	submit(const thread &td, side which = STACK9_BOTH,
	    unsigned int flags = 0) noexcept
	{
		reset();
		return ::stack9_submit(&td, which, flags, &id_);
	}
	// s is the space of the process, if the caller keeps one.
	int
	collect(capture &kernel, capture &user, const space &s = {})
	    const noexcept
	{
		user.room()->space = s.get();
		const int error = ::stack9_collect(id_, kernel.room(),
		    user.room());
		user.room()->space = nullptr;
		return error;
	}
	int cancel() noexcept { return ::stack9_cancel(id_); }
	void
	reset() noexcept
	{
		if (id_ != 0)
			::stack9_release(give_up());
	}

	capture_id get() const noexcept { return id_; }	// 0: none
	capture_id
	give_up() noexcept
	{
		const capture_id was = id_;
		id_ = 0;
		return was;
	}

private:
	capture_id	id_ = 0;
};

// Submits threads by an event, for as long as this object exists.
class watcher {
public:
	watcher() noexcept = default;
	watcher(watcher &&o) noexcept : watcher_(o.watcher_)
	{
		o.watcher_ = nullptr;
	}
	watcher &
	operator=(watcher &&o) noexcept
	{
		::stack9_submitter *const was = watcher_;
		watcher_ = o.watcher_;
		o.watcher_ = was;
		return *this;
	}
	~watcher() { ::stack9_submit_off(watcher_); }

	int
	watch(const ::stack9_event &event) noexcept
	{
		::stack9_submit_off(watcher_);
		watcher_ = nullptr;
		return ::stack9_submit_on(&event, &watcher_);
	}

private:
	::stack9_submitter	*watcher_ = nullptr;
};

// Returns the stream's descriptor, for poll(2); -1: this machine has none.
inline int
ready_fd() noexcept
{
	int fd = -1;
	return ::stack9_ready_fd(&fd) == 0 ? fd : -1;
}

// Takes the next element of the stream.  Returns 0; EAGAIN: none is ready at
// the moment.
inline int
next_ready(arrival &a) noexcept
{
	std::size_t n = 0;
	return ::stack9_ready(&a, 1, &n);
}

} // namespace stack9

#endif // STACK9_ASYNC_HPP
