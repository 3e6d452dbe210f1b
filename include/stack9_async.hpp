// Declares asynchronous captures for C++17: a stream, and submissions that
// release themselves.  The contracts are those of <stack9_async.h>, errors are
// as in <stack9.hpp>.
//
//	auto stream = stack9::async::open();
//	auto sub = stream.submit(td);
//	...				// poll(2) on stream.fd()
//	auto s = sub.collect();		// s.user().error() is EAGAIN: under way
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_ASYNC_HPP
#define STACK9_ASYNC_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <stack9.hpp>
#include <stack9_async.h>
#include <stack9_watch.hpp>

namespace stack9 {
inline namespace v0 {

enum class submitting : unsigned int {
	usual = 0,
	wake = STACK9_ASYNC_WAKE	// wake the thread; see <stack9_async.h>
};

// A submission that is over, or events that were lost.
struct arrival {
	std::uint64_t	id = 0;		// 0: see dropped
	std::uint64_t	cookie = 0;	// of the submission, or of its event
	std::uint64_t	dropped = 0;	// events lost since the last arrival
};

// One submission, under way or over.  It can be moved; the destructor releases
// it.  The stream stays open while a submission of it exists.
class submission {
public:
	submission() noexcept = default;
	submission(submission &&o) noexcept
	    : stream_(std::move(o.stream_)), id_(std::exchange(o.id_, 0)) {}
	submission &
	operator=(submission &&o) noexcept
	{
		if (this != &o) {
			reset();
			stream_ = std::move(o.stream_);
			id_ = std::exchange(o.id_, 0);
		}
		return *this;
	}
	~submission() { reset(); }

	// Gives the stacks, any number of times.  where: the space of the
	// process that the caller keeps; an empty one: the one that the process
	// has now.
	// The usual form returns a sample if there is one; the user side has
	// the error EAGAIN while it is under way, and ESRCH if the thread ended
	// before.  The result has that error, and has the sample, too.
	result<sample>
	collect(const space &where, as_result_t) const
	{
		::stack9_sample *s = nullptr;
		const int error = ::stack9_async_collect(stream_.get(), id_,
		    where.c(), &s);
		return detail::saved(error, s);
	}
	result<sample>
	collect(as_result_t) const
	{
		return collect(space(), as_result);
	}
	sample
	collect(const space &where = space()) const
	{
		result<sample> r = collect(where, as_result);
		return r.has_value() ? *std::move(r) : std::move(r).value();
	}

	// EALREADY: it was over before.
	result<void>
	cancel(as_result_t)
	{
		return detail::result_of(::stack9_async_cancel(stream_.get(),
		    id_));
	}
	void cancel() { cancel(as_result).value(); }
	void
	reset() noexcept
	{
		if (id_ != 0)
			(void)::stack9_async_release(stream_.get(),
			    std::exchange(id_, 0));
		stream_.reset();
	}

	std::uint64_t id() const noexcept { return id_; }	// 0: none
	explicit operator bool() const noexcept { return id_ != 0; }

private:
	friend class async;
	submission(std::shared_ptr<::stack9_async> stream, std::uint64_t id)
	    noexcept : stream_(std::move(stream)), id_(id) {}

	std::shared_ptr<::stack9_async>	stream_;
	std::uint64_t			id_ = 0;
};

// A stream, to which submissions belong.  It can be moved.
class async {
public:
	async() noexcept = default;

	static result<async>
	open(as_result_t)
	{
		::stack9_async *c = nullptr;
		const int error = ::stack9_async_open(&c);
		async a;
		if (error == 0)
			a.c_.reset(c, ::stack9_async_close);
		return detail::result_of(error, std::move(a));
	}
	static async open() { return open(as_result).value(); }

	// Asks for the stacks of td, a thread of any process.
	result<submission>
	submit(const thread &td, side which, submitting how,
	    std::uint64_t cookie, as_result_t) const
	{
		std::uint64_t id = 0;
		const int error = ::stack9_async_submit(c(), &td.c(),
		    static_cast<int>(which), static_cast<unsigned int>(how),
		    cookie, &id);
		return detail::result_of(error, error == 0 ?
		    submission(c_, id) : submission());
	}
	result<submission>
	submit(const thread &td, side which, as_result_t) const
	{
		return submit(td, which, submitting::usual, 0, as_result);
	}
	result<submission>
	submit(const thread &td, as_result_t) const
	{
		return submit(td, side::both, as_result);
	}
	submission
	submit(const thread &td, side which = side::both,
	    submitting how = submitting::usual, std::uint64_t cookie = 0) const
	{
		return submit(td, which, how, cookie, as_result).value();
	}

	// Takes the next submission that is over; none is ready: nothing.
	result<std::optional<arrival>>
	next(as_result_t) const
	{
		::stack9_ready r{};
		r.size = sizeof r;
		const int error = ::stack9_async_next(c(), &r);
		if (error == EAGAIN)
			return std::optional<arrival>();
		return detail::result_of(error,
		    std::optional<arrival>({r.id, r.cookie, r.dropped}));
	}
	std::optional<arrival> next() const { return next(as_result).value(); }
	// Owns a submission that an event made.
	submission
	take(const arrival &a) const noexcept
	{
		return submission(c_, a.id);
	}

	// Submits each thread to which an event happens: t:CATEGORY:NAME or
	// cpu-clock:HZ.  Only the options pid, tid, side and cookie count.
	result<void>
	watch(const std::string &events, const watch_options &options,
	    as_result_t) const
	{
		const ::stack9_watch_options o = detail::options_of(options);
		return detail::result_of(::stack9_async_watch(c(),
		    events.c_str(), &o));
	}
	void
	watch(const std::string &events,
	    const watch_options &options = watch_options()) const
	{
		watch(events, options, as_result).value();
	}

	// For poll(2); -1: there is no stream.
	int
	fd() const noexcept
	{
		int number = -1;
		(void)::stack9_async_fd(c(), &number);
		return number;
	}
	// Sets the memory of all streams, before the first is opened.
	static result<void>
	limit(std::uint32_t captures, std::size_t bytes, as_result_t)
	{
		return detail::result_of(::stack9_async_limit(captures,
		    bytes));
	}
	static void
	limit(std::uint32_t captures, std::size_t bytes)
	{
		limit(captures, bytes, as_result).value();
	}

	explicit operator bool() const noexcept { return c_ != nullptr; }
	::stack9_async *c() const noexcept { return c_.get(); }

private:
	std::shared_ptr<::stack9_async>	c_;
};

} // namespace v0
} // namespace stack9

#endif // STACK9_ASYNC_HPP
