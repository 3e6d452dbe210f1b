// Declares watches for C++17.  They close themselves and lend samples to any
// callable.  The contracts are those of <stack9_watch.h>, errors are as in
// <stack9.hpp>.
//
//	stack9::watch_options o;
//	o.pid = 4711;
//	auto w = stack9::watch::open("cpu-clock:99", o);
//	w.read_for(10s);		// counts in the kernel meanwhile
//	w.stop();
//	w.for_each([](const stack9::sample &s) { ... s.events() ... });
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_WATCH_HPP
#define STACK9_WATCH_HPP

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <stack9.hpp>
#include <stack9/cxx/watch_options.hpp>
#include <stack9_watch.h>

namespace stack9 {
inline namespace v0 {

// Watches events from its opening on.  It can be moved, and closes itself.
// Only one thread at a time may use it, except for wake().
class watch {
public:
	// Without a limit, for read().
	static constexpr std::chrono::milliseconds forever{-1};

	watch() noexcept = default;

	// Opens a watch of one event or several, named as in stackcount(1).
	static result<watch>
	open(const std::string &events, const watch_options &options,
	    as_result_t)
	{
		const ::stack9_watch_options o = detail::options_of(options);
		::stack9_watch *c = nullptr;
		const int error = ::stack9_watch_open(events.c_str(), &o, &c);
		watch w;
		w.c_.reset(c);
		if (error != 0)		// it has a sentence for EINVAL too
			return {error, ::stack9_reason()};
		return w;
	}
	static result<watch>
	open(const std::string &events, as_result_t)
	{
		return open(events, watch_options(), as_result);
	}
	static watch
	open(const std::string &events,
	    const watch_options &options = watch_options())
	{
		return open(events, options, as_result).value();
	}

	// Reads the events that have arrived, and waits for events that long.
	// The events of a stream go to fn(const sample &).  It returns void or
	// go.  Counted events need no fn, and have to be read all the same, all
	// the time.
	template <typename Fn>
	result<reading>
	read(std::chrono::milliseconds timeout, Fn &&fn, as_result_t)
	{
		using callable = std::remove_reference_t<Fn>;
		detail::relay<callable, sample> to(fn);
		const int error = ::stack9_watch_read(c(), ms(timeout),
		    detail::lend<callable>, &to);
		to.rethrow();
		return detail::reading_of(error);
	}
	template <typename Fn, typename = std::enable_if_t<
	    std::is_invocable_v<Fn &, const sample &>>>
	reading
	read(std::chrono::milliseconds timeout, Fn &&fn)
	{
		return read(timeout, fn, as_result).value();
	}
	result<reading>
	read(std::chrono::milliseconds timeout, as_result_t)
	{
		return detail::reading_of(::stack9_watch_read(c(), ms(timeout),
		    nullptr, nullptr));
	}
	reading
	read(std::chrono::milliseconds timeout)
	{
		return read(timeout, as_result).value();
	}

	// Reads again and again, for so long or until something other than
	// events comes.  Returns reading::none when the time is over.
	template <typename... Fn>
	reading
	read_for(std::chrono::milliseconds time, Fn &&...fn)
	{
		using clock = std::chrono::steady_clock;
		const auto end = clock::now() + time;
		for (auto left = time; left.count() > 0; left =
		    std::chrono::ceil<std::chrono::milliseconds>(end -
		    clock::now()))
			if (const reading r = read(left, fn...);
			    r != reading::events && r != reading::none)
				return r;
		return reading::none;
	}

	// Calls fn(const sample &) with each distinct stack that was counted,
	// in no order.  Returns go::stop if fn ended the call.
	template <typename Fn>
	result<go>
	for_each(Fn &&fn, as_result_t)
	{
		using callable = std::remove_reference_t<Fn>;
		detail::relay<callable, sample> to(fn);
		return to.finish(::stack9_watch_each(c(),
		    detail::lend<callable>, &to));
	}
	template <typename Fn>
	go
	for_each(Fn &&fn)
	{
		return for_each(fn, as_result).value();
	}
	// Keeps each distinct stack that was counted; the most frequent first.
	result<std::vector<sample>>
	samples(as_result_t)
	{
		std::vector<sample> all;
		const result<go> r = for_each([&all](const sample &s) {
			all.push_back(s);
		}, as_result);
		if (!r)
			return {r.error(), r.reason()};
		std::stable_sort(all.begin(), all.end(),
		    [](const sample &a, const sample &b) {
			return a.events() > b.events();
		});
		return all;
	}
	std::vector<sample> samples() { return samples(as_result).value(); }

	// No event is captured from then on.
	result<void>
	stop(as_result_t)
	{
		return detail::result_of(::stack9_watch_stop(c()));
	}
	void stop() { stop(as_result).value(); }

	// Ends a read() in another thread, or the next one.  Any thread may
	// call it, and a signal handler, too.
	void
	wake() const noexcept
	{
		(void)::stack9_watch_wake(c());
	}

	stack9::tally tally() const;
	// The name of each event that is watched.
	std::vector<std::string> events() const;
	// For poll(2); -1: there is no watch.
	int
	fd() const noexcept
	{
		int number = -1;
		(void)::stack9_watch_fd(c(), &number);
		return number;
	}

	void close() noexcept { c_.reset(); }
	explicit operator bool() const noexcept { return c_ != nullptr; }
	::stack9_watch *c() const noexcept { return c_.get(); }

private:
	struct closer {
		void
		operator()(::stack9_watch *c) const noexcept
		{
			::stack9_watch_close(c);
		}
	};
	static int
	ms(std::chrono::milliseconds time) noexcept
	{
		constexpr long long most = std::numeric_limits<int>::max();
		return static_cast<int>(std::clamp<long long>(time.count(),
		    -1, most));
	}

	std::unique_ptr<::stack9_watch, closer> c_;
};

inline stack9::tally
watch::tally() const
{
	::stack9_tally t{};
	t.size = sizeof t;
	detail::result_of(::stack9_watch_tally(c(), &t)).value();
	return {t.frames, t.probes, (t.flags & STACK9_TALLY_NO_WALK) != 0,
	    t.events, t.kept, t.spilled, t.no_room, t.nested, t.stacks,
	    t.truncated, t.skipped, t.walked, t.copied, t.refused,
	    t.remembered, t.lacking};
}

inline std::vector<std::string>
watch::events() const
{
	std::vector<std::string> all;
	const auto append = [](void *arg, const char *event) noexcept {
		STACK9_TRY {
			static_cast<std::vector<std::string> *>(arg)->
			    push_back(event);
			return 0;
		} STACK9_CATCH(const std::bad_alloc &) {
			return 1;
		}
	};
	const int error = ::stack9_watch_events(c(), append, &all);
	if (error == ECANCELED)
		STACK9_THROW(std::bad_alloc());
	detail::result_of(error).value();
	return all;
}

} // namespace v0
} // namespace stack9

#endif // STACK9_WATCH_HPP
