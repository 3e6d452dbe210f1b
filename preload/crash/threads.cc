// Replaces pthread_create(3) and thrd_create(3), so that each thread has an
// alternate stack.  The overflow of its own stack is reported on that.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>

#include <pthread.h>
#include <threads.h>

#include "crash/alternate_stack.h"
#include "crash/crash.h"
#include "preload/next_call.h"

namespace stack9::crash {
namespace {

constinit preload::next_call<int(pthread_t *, const pthread_attr_t *,
    void *(*)(void *), void *)> next_create("pthread_create");
constinit preload::next_call<int(thrd_t *, int (*)(void *), void *)>
    next_c11_create("thrd_create");

[[gnu::constructor(101)]] void
find_creators() noexcept
{
	next_create.find();
	next_c11_create.find();
}

// It lies in the memory of the thread's alternate stack.
template <class Result>
struct beginning {
	Result	(*function)(void *);
	void	*argument;
};

// The call is the last one, so that it leaves no frame in the thread's stack.
template <class Result>
Result
begin(void *stack)
{
	const auto b = *static_cast<beginning<Result> *>(stack);
	use_stack(stack);
	return b.function(b.argument);
}

// create(function, argument) creates the thread.  Without memory it has no
// alternate stack.
template <class Result, class Create>
int
with_stack(Result (*function)(void *), void *argument, Create create)
{
	void *const stack = current_settings().pid != 0 ? map_stack() :
	    nullptr;
	if (stack == nullptr)
		return create(function, argument);
	*static_cast<beginning<Result> *>(stack) = {function, argument};
	const int error = create(begin<Result>, stack);
	if (error != 0)
		unmap_stack(stack);
	return error;
}

} // namespace
} // namespace stack9::crash

using namespace stack9::crash;

extern "C" {

[[gnu::visibility("default")]] int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
    void *(*function)(void *), void *argument)
{
	auto *const next = next_create.get();
	if (next == nullptr)
		return ENOSYS;
	return with_stack(function, argument, [&](auto *f, void *a) {
		return next(thread, attributes, f, a);
	});
}

[[gnu::visibility("default")]] int
thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
	auto *const next = next_c11_create.get();
	if (next == nullptr)
		return thrd_error;
	return with_stack(function, argument, [&](auto *f, void *a) {
		return next(thread, f, a);
	});
}

} // extern "C"
