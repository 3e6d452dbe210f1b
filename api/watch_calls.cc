// Implements the calls of <stack9_watch.h>.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "watch.h"

#include <cerrno>

#include "core/arguments.h"
#include "os/uncancelled.h"

using namespace stack9;

namespace {

int
no_watch() noexcept
{
	return failed(EINVAL, "watch is NULL");
}

} // namespace

extern "C" int
stack9_watch_open(const char *events,
    const struct stack9_watch_options *options,
    struct stack9_watch **watch)
{
	stack9_watch_options o;
	if (watch != nullptr)
		*watch = nullptr;
	const char *const wrong = read_watch_options(options, o);
	if (const int error = check_arguments({
	    {events == nullptr, "events is NULL"},
	    {watch == nullptr, "watch is NULL"},
	    {wrong != nullptr, wrong},
	    }); error != 0)
		return error;
	return public_call([&] {
		std::string why;
		auto made = std::make_unique<stack9_watch>(o);
		const int error = made->open(events, why);
		if (error == 0)
			*watch = made.release();
		return why.empty() ? error : failed(error, why);
	});
}

extern "C" void
stack9_watch_close(struct stack9_watch *watch)
{
	const uncancelled guard;
	delete watch;
}

extern "C" int
stack9_watch_fd(struct stack9_watch *watch, int *fd)
{
	if (const int error = check_arguments({
	    {watch == nullptr, "watch is NULL"},
	    {fd == nullptr, "fd is NULL"},
	    }); error != 0)
		return error;
	const int all = watch->fd();
	if (all < 0)
		return failed(EINVAL, of_another_process);
	*fd = all;
	return 0;
}

extern "C" int
stack9_watch_read(struct stack9_watch *watch, int timeout_ms,
    stack9_sample_fn *fn, void *arg)
{
	return watch == nullptr ? no_watch() : public_call([&] {
		return watch->read(timeout_ms, fn, arg);
	});
}

extern "C" int
stack9_watch_wake(struct stack9_watch *watch)
{
	if (watch == nullptr)
		return EINVAL;
	const int kept = errno;
	const int error = watch->wake();
	errno = kept;
	return error;
}

extern "C" int
stack9_watch_each(struct stack9_watch *watch, stack9_sample_fn *fn, void *arg)
{
	return watch == nullptr ? no_watch() : public_call([&] {
		return watch->each(fn, arg);
	});
}

extern "C" int
stack9_watch_stop(struct stack9_watch *watch)
{
	return watch == nullptr ? no_watch() : public_call([&] {
		return watch->stop();
	});
}

extern "C" int
stack9_watch_tally(struct stack9_watch *watch, struct stack9_tally *tally)
{
	if (const int error = check_arguments({
	    {watch == nullptr, "watch is NULL"},
	    {tally == nullptr, "tally is NULL"},
	    }); error != 0)
		return error;
	return public_call([&] {
		watch_totals t{};
		const int error = watch->tally(t);
		return error != 0 ||
		    write_result<stack9_tally>(t, 112, tally) ? error :
		    failed(EINVAL, "tally->size is not that of the structure");
	});
}

extern "C" int
stack9_watch_events(struct stack9_watch *watch, stack9_event_fn *fn, void *arg)
{
	if (const int error = check_arguments({
	    {watch == nullptr, "watch is NULL"},
	    {fn == nullptr, has_no_fn},
	    }); error != 0)
		return error;
	return public_call([&] { return watch->events(fn, arg); });
}
