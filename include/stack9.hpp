// Declares stack9 for C++17, with more where C++20 is: values that own, copy
// and compare what they name, callables instead of functions with void *,
// ranges, errors by exception or by result.  No name, enumerator or macro of
// <stack9.h> is needed beside it.
//
//	const auto td = stack9::thread::find(4711);
//	const auto sample = stack9::save(td);	// may throw stack9::error
//	for (const auto &frame : sample.user().frames())
//		std::puts(to_string(frame).c_str());
//
// Each call that can fail has two forms, as in <filesystem>. The usual form
// throws stack9::error, with the errno and a sentence.  The form whose last
// argument is stack9::as_result returns a stack9::result, with an errno, a
// sentence and the value.  <stack9.h> says what each errno means.  Both forms
// throw std::bad_alloc when there is no memory.
//
// A callable returns void, or stack9::go::on or ::stop; another type does not
// compile.  No exception passes through C: an exception of a callable ends the
// call, and the call throws it again.  Member c() gives what a C call takes.
//
//	stack9/cxx/result.hpp	error, result, as_result
//	stack9/cxx/callable.hpp	go
//	stack9/cxx/thread.hpp	thread, side, why
//	stack9/cxx/frame.hpp	frame, frame_list, naming, to_string()
//	stack9/cxx/space.hpp	space, pc_list, frames_at()
//	stack9/cxx/stack.hpp	stack
//	stack9/cxx/sample.hpp	sample, to_string()
//	stack9/cxx/own.hpp	self_stack, name_self()
//	stack9/cxx/machine.hpp	version(), routes(), stats(), demangle(), ...
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_HPP
#define STACK9_HPP

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include <stack9/cxx/machine.hpp>
#include <stack9/cxx/own.hpp>
#include <stack9/cxx/sample.hpp>

namespace stack9 {
inline namespace v0 {

// Options of a capture, of which the defaults are usual.
struct save_options {
	std::uint32_t	frames = 0;	// of a side, at most; 0: 1024
	std::chrono::milliseconds timeout{0};	// ask again that long while a
					// side is EAGAIN
	bool		no_stop = false; // nor send it a signal
	bool		since = false;	// find sample::since()
	stack9::space	space{};	// save() only: of the thread's process,
					// to unwind and to name by
	std::string	states{};	// for_each(): only threads in these
					// states, "DR" for instance; "": all
	std::chrono::nanoseconds since_least{0}; // for_each(): only threads
					// that are in their states so long
	bool		languages = false; // the functions of interpreters,
					// and tasks of asyncio
};

namespace detail {

inline ::stack9_save_options
options_of(const save_options &from) noexcept
{
	constexpr long long most = std::numeric_limits<std::uint32_t>::max();
	::stack9_save_options o{};
	o.size = sizeof o;
	o.flags = (from.no_stop ? STACK9_SAVE_NO_STOP : 0) |
	    (from.since ? STACK9_SAVE_SINCE : 0) |
	    (from.languages ? STACK9_SAVE_LANGUAGES : 0);
	o.frames = from.frames;
	o.timeout_ms = static_cast<std::uint32_t>(
	    std::clamp<long long>(from.timeout.count(), 0, most));
	o.space = from.space.c();
	o.states = from.states.empty() ? nullptr : from.states.c_str();
	o.since_ns = static_cast<std::uint64_t>(
	    std::max<long long>(from.since_least.count(), 0));
	return o;
}

inline result<sample>
saved(int error, ::stack9_sample *c)
{
	sample s = sample::adopt(c);
	if (error == 0)
		return s;
	if (!s)
		return {error, reason_of(error)};
	return {error, reason_of(error), std::move(s)};
}

} // namespace detail

// Captures the stacks of a thread.  The call fails if no side has a stack, and
// the result then has a sample too, whose stacks say why by side.  (The call is
// inlined, so that the thread's own stack begins with the caller.)
[[gnu::always_inline]] inline result<sample>
save(const thread &td, side which, const save_options &options, as_result_t)
{
	const ::stack9_save_options o = detail::options_of(options);
	::stack9_sample *s = nullptr;
	const int error = ::stack9_save(&td.c(), static_cast<int>(which), &o,
	    &s);
	return detail::saved(error, s);
}

[[gnu::always_inline]] inline result<sample>
save(const thread &td, side which, as_result_t)
{
	return save(td, which, save_options(), as_result);
}

[[gnu::always_inline]] inline result<sample>
save(const thread &td, as_result_t)
{
	return save(td, side::both, save_options(), as_result);
}

[[gnu::always_inline]] inline sample
save(const thread &td, side which = side::both,
    const save_options &options = save_options())
{
	return save(td, which, options, as_result).value();
}

// Every process of the machine, as the first argument of for_each() and
// save_all().
struct machine_t {
	explicit machine_t() = default;
};
inline constexpr machine_t machine{};

namespace detail {

inline const ::stack9_thread *
process_of(const thread &td) noexcept
{
	return &td.c();
}

inline const ::stack9_thread *
process_of(machine_t) noexcept
{
	return nullptr;
}

template <typename Fn>
int
lend(void *arg, const ::stack9_sample *c) noexcept
{
	return static_cast<relay<Fn, sample> *>(arg)->call(sample::lent(*c));
}

} // namespace detail

// Captures every thread of a process, of which the first argument is any
// thread, or of the machine, in one pass, and calls fn(const sample &) for
// each.  A thread that could not be captured has its error in its stacks.
// Returns go::stop if fn ended the pass, and go::on if not.
template <typename Of, typename Fn>
[[gnu::always_inline]] inline result<go>
for_each(const Of &process, side which, Fn &&fn, const save_options &options,
    as_result_t)
{
	using callable = std::remove_reference_t<Fn>;
	const ::stack9_save_options o = detail::options_of(options);
	detail::relay<callable, sample> to(fn);
	const int error = ::stack9_each(detail::process_of(process),
	    static_cast<int>(which), &o, detail::lend<callable>, &to);
	return to.finish(error);
}

template <typename Of, typename Fn>
[[gnu::always_inline]] inline result<go>
for_each(const Of &process, side which, Fn &&fn, as_result_t)
{
	return for_each(process, which, fn, save_options(), as_result);
}

template <typename Of, typename Fn>
[[gnu::always_inline]] inline go
for_each(const Of &process, side which, Fn &&fn,
    const save_options &options = save_options())
{
	return for_each(process, which, fn, options, as_result).value();
}

// Captures every thread in one pass, and keeps all samples.
template <typename Of>
[[gnu::always_inline]] inline result<std::vector<sample>>
save_all(const Of &process, side which, const save_options &options,
    as_result_t)
{
	std::vector<sample> all;
	const result<go> r = for_each(process, which,
	    [&all](const sample &s) { all.push_back(s); }, options, as_result);
	if (!r)
		return {r.error(), r.reason()};
	return all;
}

template <typename Of>
[[gnu::always_inline]] inline std::vector<sample>
save_all(const Of &process, side which = side::both,
    const save_options &options = save_options())
{
	return save_all(process, which, options, as_result).value();
}

// Prints a sample to stdio's stdout, as stackprint(1) does.
inline void
print(const sample &s, naming how = naming::usual)
{
	const int error = ::stack9_print(s.c(),
	    static_cast<unsigned int>(how), nullptr, nullptr);
	if (error == ENOMEM)
		STACK9_THROW(std::bad_alloc());
	detail::result_of(error).value();
}

} // namespace v0
} // namespace stack9

#endif // STACK9_HPP
