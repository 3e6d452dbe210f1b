// Declares samples as values of C++ with counted references, and their text.
// Programs include <stack9.hpp>; that includes this file.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_CXX_SAMPLE_HPP
#define STACK9_CXX_SAMPLE_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include <stack9/cxx/stack.hpp>

namespace stack9 {
inline namespace v0 {

// The kind of a sample's waker, as <stack9_watch.h> numbers it.
enum class waking {
	none = 0,	// not asked for, or not seen
	thread = 1,	// counted: of this process
	interrupt = 2,
	unknown = 3	// a thread or an interrupt
};

enum class sample_kind {
	thread = STACK9_SAMPLE_THREAD,
	event = STACK9_SAMPLE_EVENT,
	count = STACK9_SAMPLE_COUNT	// all events with the same stacks
};

// One thread at one moment, or one event, or all events that had the same
// stacks.  A sample that a callable is given is lent until that returns; a copy
// keeps it.  Copies of a copy share it.  Two samples are equal if both of their
// stacks are; the thread does not count.
class sample {
public:
	sample() noexcept = default;
	sample(const sample &o) : sample(held(o.c_), true) {}
	sample(sample &&o) noexcept { swap(o); }
	sample &
	operator=(sample o) noexcept
	{
		swap(o);
		return *this;
	}
	~sample()
	{
		if (owned_)
			::stack9_sample_close(
			    const_cast<::stack9_sample *>(c_));
	}

	// Takes over a sample that a C call returned.
	static sample
	adopt(::stack9_sample *c) noexcept
	{
		return sample(c, c != nullptr);
	}
	// Shows one that a C call lends, for as long as that does.
	static sample
	lent(const ::stack9_sample &c) noexcept
	{
		return sample(&c, false);
	}

	explicit operator bool() const noexcept { return c_ != nullptr; }
	const stack &kernel() const & noexcept { return kernel_; }
	const stack &user() const & noexcept { return user_; }
	stack kernel() && { return kernel_; }
	stack user() && { return user_; }

	stack9::thread
	thread() const noexcept
	{
		return c_ ? stack9::thread(c_->thread) : stack9::thread();
	}
	std::string_view
	comm() const noexcept			// its name; "": unknown
	{
		return c_ ? c_->comm : "";
	}
	char
	state() const noexcept	// a letter as in /proc/TID/stat; '?'
	{
		return static_cast<char>(c_ ? c_->state : '?');
	}
	int cpu() const noexcept { return c_ ? c_->cpu : -1; } // -1: unknown
	pid_t tracer() const noexcept { return c_ ? c_->tracer : 0; }
	std::chrono::nanoseconds
	when() const noexcept	// since boot; 0: unknown, or counted
	{
		return std::chrono::nanoseconds(c_ ? c_->when_ns : 0);
	}

	std::chrono::nanoseconds
	since() const noexcept	// so long in its state, at least; 0: unknown
	{
		return std::chrono::nanoseconds(c_ ? c_->since_ns : 0);
	}
	stack9::sample_kind
	kind() const noexcept
	{
		return static_cast<stack9::sample_kind>(c_ ? c_->kind : 0);
	}

	// The rest is about an event; it is 0 or "" otherwise.
	std::string_view
	event() const noexcept		// "": several, not distinguished
	{
		return c_ && c_->event ? c_->event : "";
	}
	std::uint64_t events() const noexcept { return c_ ? c_->events : 0; }
	std::chrono::nanoseconds
	weight() const noexcept		// offcpu: the time blocked
	{
		return std::chrono::nanoseconds(c_ ? c_->weight_ns : 0);
	}
	std::uint64_t
	dropped() const noexcept	// events lost since the last sample
	{
		return c_ ? c_->dropped : 0;
	}
	std::uint64_t cookie() const noexcept { return c_ ? c_->cookie : 0; }
	stack9::waking
	waking() const noexcept		// offcpu: who ended the wait
	{
		return static_cast<stack9::waking>(c_ ? c_->waking : 0);
	}
	// The waker with its stacks then.  It is lent for as long as this
	// sample is; a copy keeps it.
	sample
	waker() const noexcept
	{
		return c_ && c_->waker ? lent(*c_->waker) : sample();
	}

	std::uint64_t
	hash() const noexcept
	{
		return kernel_.hash() * 0x9e3779b97f4a7c15 ^ user_.hash();
	}
	const ::stack9_sample *c() const noexcept { return c_; }

	friend bool
	operator==(const sample &a, const sample &b) noexcept
	{
		return ::stack9_sample_same(a.c_, b.c_) != 0;
	}
	friend bool
	operator!=(const sample &a, const sample &b) noexcept
	{
		return !(a == b);
	}

private:
	sample(const ::stack9_sample *c, bool owned) noexcept
	    : c_(c), owned_(owned && c != nullptr)
	{
		if (c_ != nullptr) {
			kernel_ = stack(c_, c_->kernel);
			user_ = stack(c_, c_->user);
		}
	}
	static const ::stack9_sample *
	held(const ::stack9_sample *c)
	{
		if (c == nullptr)
			return nullptr;
		const ::stack9_sample *const own = ::stack9_sample_hold(c);
		if (own == nullptr)
			STACK9_THROW(std::bad_alloc());
		return own;
	}
	void
	swap(sample &o) noexcept
	{
		std::swap(c_, o.c_);
		std::swap(owned_, o.owned_);
		std::swap(kernel_, o.kernel_);
		std::swap(user_, o.user_);
	}

	const ::stack9_sample	*c_ = nullptr;
	bool			 owned_ = false;	// false: lent
	stack			 kernel_, user_;	// not owned
};

namespace detail {

// Returns what a C call gives to a function that takes text.
template <typename Call>
std::string
text_of(const sample &s, Call call)
{
	std::string to;
	if (!s)
		return to;
	const auto append = [](void *arg, const char *text, std::size_t n)
	    noexcept {
		STACK9_TRY {
			static_cast<std::string *>(arg)->append(text, n);
		} STACK9_CATCH(const std::bad_alloc &) {
		}
	};
	if (const int error = call(append, static_cast<void *>(&to));
	    error != 0)
		STACK9_THROW(stack9::error(error, reason_of(error)));
	if (to.empty())
		STACK9_THROW(std::bad_alloc());
	return to;
}

} // namespace detail

// Returns what print() prints.
inline std::string
to_string(const sample &s, naming how = naming::usual)
{
	return detail::text_of(s, [&](::stack9_text_fn *fn, void *arg) {
		return ::stack9_print(s.c(), static_cast<unsigned int>(how),
		    fn, arg);
	});
}

// Returns the text of stack9_text(3), by which the stacks are named later.
inline std::string
to_text(const sample &s)
{
	return detail::text_of(s, [&](::stack9_text_fn *fn, void *arg) {
		return ::stack9_write_text(s.c(), 0, fn, arg);
	});
}

// Reads the first stack of a text.  A space of space::of_build_ids() names it.
// rest, if it is not NULL, becomes what follows.
inline result<sample>
read_text(const space &by, std::string_view text, std::string_view *rest,
    as_result_t)
{
	::stack9_sample *c = nullptr;
	std::size_t used = 0;
	const int error = ::stack9_read_text(by.c(), text.data(), text.size(),
	    &used, &c);
	if (error != 0)
		return {error, ::stack9_reason()};
	if (rest != nullptr)
		*rest = text.substr(used);
	return sample::adopt(c);
}

inline sample
read_text(const space &by, std::string_view text,
    std::string_view *rest = nullptr)
{
	return read_text(by, text, rest, as_result).value();
}

template <typename Traits>
std::basic_ostream<char, Traits> &
operator<<(std::basic_ostream<char, Traits> &out, const sample &s)
{
	return out << to_string(s);
}

} // namespace v0
} // namespace stack9

template <>
struct std::hash<stack9::sample> {
	std::size_t
	operator()(const stack9::sample &s) const noexcept
	{
		return static_cast<std::size_t>(s.hash());
	}
};

#endif // STACK9_CXX_SAMPLE_HPP
