// Declares a watch for C++, which closes itself and hands its samples to any
// callable.  The header needs only <stack9_watch.h>, and C++17.
//
//	stack9::event_watch w;
//	::stack9_sink sink{};
//	sink.what = STACK9_COUNT;
//	sink.side = STACK9_BOTH;
//	if (w.watch("t:sched:sched_switch", sink,
//	    [](const stack9::sample &s) { ... }) != 0)
//		std::puts(w.reason());
//
// Errors are the errno values of <stack9_watch.h>.  An exception of a callable
// is stored and ends the call that called it, and that call throws it again.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_WATCH_HPP
#define STACK9_WATCH_HPP

#include <functional>
#include <memory>
#include <utility>

#include <stack9.hpp>
#include <stack9_watch.h>

namespace stack9 {

using sample = ::stack9_sample;
using watch_tally = ::stack9_watch_tally;

class event_watch {
public:
	event_watch() noexcept = default;
	event_watch(event_watch &&) noexcept = default;
	event_watch &
	operator=(event_watch &&o) noexcept
	{
		// The callable of the old watch is called until that is
		// closed.
		watch_.reset();
		taker_ = std::move(o.taker_);
		watch_ = std::move(o.watch_);
		return *this;
	}

	// fn(const sample &) returns nothing, or an int, of which a value other
	// than 0 ends the call.  The members fn and arg of sink are ignored.
	template <typename Fn>
	int
	watch(const char *event, ::stack9_sink sink, Fn fn,
	    const ::stack9_filter &filter = {})
	{
		watch_.reset();
		taker_ = std::make_unique<taker>();
		taker_->fn = [f = std::move(fn)](const sample &s) mutable {
			if constexpr (std::is_convertible_v<decltype(f(s)),
			    int>)
				return static_cast<int>(f(s));
			else
				return f(s), 0;
		};
		sink.fn = take;
		sink.arg = taker_.get();
		::stack9_watcher *fresh = nullptr;
		const int error = ::stack9_watch(event, &filter, &sink, &fresh,
		    taker_->reason);
		watch_.reset(fresh);
		return error;
	}
	// Says in a sentence why the last watch() failed, or is "".
	const char *
	reason() const noexcept
	{
		return taker_ ? taker_->reason : "";
	}

	int
	read(int timeout_ms = -1)
	{
		return passed(::stack9_watch_read(get(), timeout_ms));
	}
	int counts() { return passed(::stack9_watch_counts(get())); }
	int stop() noexcept { return ::stack9_watch_stop(get()); }
	int fd() const noexcept { return ::stack9_watch_fd(get()); }
	watch_tally
	tally() const noexcept
	{
		watch_tally t{};
		::stack9_watch_counted(get(), &t);
		return t;
	}
	void close() noexcept { watch_.reset(); }

	// NULL: nothing is watched.
	::stack9_watcher *get() const noexcept { return watch_.get(); }
	explicit operator bool() const noexcept { return watch_ != nullptr; }

private:
	struct taker {
		std::function<int(const sample &)> fn;
		std::exception_ptr	thrown;
		char			reason[STACK9_REASON_MAX] = "";
	};
	struct closer {
		void
		operator()(::stack9_watcher *w) const noexcept
		{
			::stack9_watch_close(w);
		}
	};

	static int
	take(void *arg, const sample *s) noexcept
	{
		taker &self = *static_cast<taker *>(arg);
		try {
			return self.fn(*s);
		} catch (...) {
			self.thrown = std::current_exception();
			return ECANCELED;
		}
	}
	int
	passed(int error)
	{
		if (taker_ && taker_->thrown)
			std::rethrow_exception(
			    std::exchange(taker_->thrown, nullptr));
		return error;
	}

	std::unique_ptr<taker>	taker_;
	std::unique_ptr<::stack9_watcher, closer> watch_;
};

} // namespace stack9

#endif // STACK9_WATCH_HPP
