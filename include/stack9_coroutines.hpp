// Declares the coroutines of a process, Go's goroutines, as values of C++.  No
// name of <stack9_coroutines.h> is needed beside it.
//
//	const auto process = stack9::thread::find(4711);
//	for (const stack9::coroutine &c : stack9::coroutines_of(process))
//		std::printf("goroutine %llu: %s\n",
//		    static_cast<unsigned long long>(c.id), c.state.c_str());
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_COROUTINES_HPP
#define STACK9_COROUTINES_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <stack9.hpp>
#include <stack9_coroutines.h>

namespace stack9 {
inline namespace v0 {

// One coroutine that runs on no thread.
struct coroutine {
	std::uint64_t	id;		// its number in the runtime
	std::string	runtime;	// "go", "asyncio"
	std::string	state;		// in the runtime's words
	stack9::sample	sample;		// its user side is the stack
	std::string	name;		// of a task; ""
	std::uint64_t	waits_for;	// id of the task that it waits for; 0
};

namespace detail {

template <typename Fn>
int
lend_coroutine(void *arg, const ::stack9_coroutine *c) noexcept
{
	auto &to = *static_cast<relay<Fn, coroutine> *>(arg);
	return to.make([c] {
		return coroutine{c->id, c->runtime, c->state,
		    stack9::sample::lent(*c->sample), c->name,
		    c->waits_for};
	});
}

} // namespace detail

// Notes that the calling thread goes on on this stack, until the next call; the
// memory stays mapped until then.
inline void
switch_stack(const void *low, std::size_t size) noexcept
{
	::stack9_switch_stack(low, size);
}

// Finds the coroutines of the process of which the first argument is any
// thread, and calls fn(const coroutine &) for each.  Returns go::stop if fn
// ended the call, and go::on if not.
template <typename Fn>
result<go>
for_each_coroutine(const thread &process, Fn &&fn, const save_options &options,
    as_result_t)
{
	using callable = std::remove_reference_t<Fn>;
	const ::stack9_save_options o = detail::options_of(options);
	detail::relay<callable, coroutine> to(fn);
	const int error = ::stack9_coroutines(&process.c(), &o,
	    detail::lend_coroutine<callable>, &to);
	return to.finish(error);
}

template <typename Fn>
go
for_each_coroutine(const thread &process, Fn &&fn,
    const save_options &options = save_options())
{
	return for_each_coroutine(process, fn, options, as_result).value();
}

// Finds all of them, and keeps their samples.
inline result<std::vector<coroutine>>
coroutines_of(const thread &process, const save_options &options, as_result_t)
{
	std::vector<coroutine> all;
	const result<go> r = for_each_coroutine(process,
	    [&all](const coroutine &c) { all.push_back(c); }, options,
	    as_result);
	if (!r)
		return {r.error(), r.reason()};
	return all;
}

inline result<std::vector<coroutine>>
coroutines_of(const thread &process, as_result_t)
{
	return coroutines_of(process, save_options(), as_result);
}

inline std::vector<coroutine>
coroutines_of(const thread &process,
    const save_options &options = save_options())
{
	return coroutines_of(process, options, as_result).value();
}

} // namespace v0
} // namespace stack9

#endif // STACK9_COROUTINES_HPP
