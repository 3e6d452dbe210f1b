// Implements the calls of <stack9_async.h>.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "async.h"

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "core/arguments.h"
#include "os/uncancelled.h"

#include "options.h"
#include "own_space.h"
#include "sample.h"
#include "save.h"
#include "watch.h"

using namespace stack9;

namespace {

// EINVAL: the stream is not the calling process's.
int
check_stream(const stack9_async *s) noexcept
{
	return check_arguments({
	    {s == nullptr, "stream is NULL"},
	    {s != nullptr && s->owner != getpid(), "stream is the parent's: a "
	    "child has none of its parent's streams"},
	});
}

template <class Body>
int
in_stream(const stack9_async *s, Body body) noexcept
{
	const int error = check_stream(s);
	return error != 0 ? error : public_call(body);
}

// why: by reference, because the call that is the other argument stores it.
int
with_reason(int error, const char *const &why) noexcept
{
	return error != 0 && why != nullptr ? failed(error, why) : error;
}

// The records of one capture, with their buffers.
struct collected {
	std::uintptr_t	kernel_pcs[async_kernel_frames];
	char		text[16384];
	std::unique_ptr<std::uintptr_t[]> user_pcs;
	stack_record	kernel, user;
	unique_space	opened;

	int take(stack9_id, stack9_space *, std::uint32_t max);
	int take_whole(stack9_id, stack9_space *);
};

// max: the most frames of the user side.
int
collected::take(stack9_id id, stack9_space *space, std::uint32_t max)
{
	user_pcs = std::make_unique_for_overwrite<std::uintptr_t[]>(max);
	kernel = user = {};
	kernel.pcs = kernel_pcs;
	kernel.max = async_kernel_frames;
	kernel.text = text;
	kernel.text_size = sizeof text;
	user.pcs = user_pcs.get();
	user.max = max;
	user.space = space;
	return async_collect(id, &kernel, &user, &opened);
}

// The copy is kept until the id is released, so that it can be walked again if
// it has more frames than most stacks have.
int
collected::take_whole(stack9_id id, stack9_space *space)
{
	constexpr std::uint32_t most = 1 << 20;
	std::uint32_t max = default_frames;
	int error = take(id, space, max);
	while (user.why == STACK9_WHY_TRUNCATED && user.depth == max &&
	    max < most)
		error = take(id, space, max *= 32);
	return error;
}

int
collect(stack9_id id, std::uint64_t cookie, stack9_space *space,
    stack9_sample *&out)
{
	const auto all = std::make_unique_for_overwrite<collected>();
	const int error = all->take_whole(id, space);
	stack_record &kernel = all->kernel, &user = all->user;
	if (error == ENOENT || error == ECANCELED)
		return failed(error);
	const auto asked = [](stack_record &rec) {
		return rec.error == EINVAL ? nullptr : &rec;
	};
	lent_sample lent;
	stack_record *const k = asked(kernel), *const u = asked(user);
	if (k == nullptr && u == nullptr)
		return error;
	if (u != nullptr)
		give_space(*u, all->opened);
	lent.show(k, u);
	lent.name_thread();
	lent.sample().cookie = cookie;
	out = stack9_sample_hold(&lent.sample());
	if (out == nullptr)
		return ENOMEM;
	if (u == nullptr)
		return error;
	const int outcome = error != 0 ? error : u->error;
	return outcome == 0 ? 0 : failed(outcome, lent.sample().user->reason);
}

// Translates the grammar of watches into that of the queue.
int
queue_event(std::string_view event, std::string &to, std::string &category)
{
	constexpr std::string_view tracepoint = "t:", clock = "cpu-clock:";
	if (event.starts_with(clock)) {
		to = "profile:hz:";
		to += event.substr(clock.size());
		return 0;
	}
	const auto colon = event.find(':', tracepoint.size());
	if (!event.starts_with(tracepoint) || colon == event.npos)
		return EOPNOTSUPP;
	category = event.substr(tracepoint.size(), colon - tracepoint.size());
	to = "rawtracepoint:";
	to += event.substr(colon + 1);
	return event.find_first_of("*?,") != event.npos ? EOPNOTSUPP : 0;
}

} // namespace

extern "C" int
stack9_async_open(struct stack9_async **stream)
{
	if (const int error = check_arguments({
	    {stream == nullptr, "stream is NULL"},
	    }); error != 0)
		return error;
	*stream = nullptr;
	return public_call([&] {
		const char *why = nullptr;
		if (const int error = async_begin(why); error != 0)
			return with_reason(error, why);
		auto made = std::make_unique<stack9_async>();
		const int error = streams::of_process().open(*made);
		if (error == 0)
			*stream = made.release();
		return error;
	});
}

// A child's copy has nothing to release.
extern "C" void
stack9_async_close(struct stack9_async *stream)
{
	if (stream == nullptr)
		return;
	const uncancelled guard;
	if (stream->owner == getpid())
		streams::of_process().close(*stream);
	delete stream;
}

extern "C" int
stack9_async_submit(struct stack9_async *stream, const struct stack9_thread *td,
    int side, unsigned int flags, uint64_t cookie, stack9_id *id)
{
	if (const int error = check_arguments({
	    {td == nullptr, has_no_td},
	    {td != nullptr && td->tid < 1, has_no_tid},
	    {!is_side(side), is_no_side},
	    {(flags & ~STACK9_ASYNC_WAKE) != 0, has_unknown_flags},
	    {id == nullptr, "id is NULL"},
	    }); error != 0)
		return error;
	return in_stream(stream, [&] {
		const char *why = nullptr;
		return with_reason(streams::of_process().submit(*stream, *td,
		    static_cast<stack9_side>(side),
		    (flags & STACK9_ASYNC_WAKE) != 0, cookie, *id, why), why);
	});
}

extern "C" int
stack9_async_collect(struct stack9_async *stream, stack9_id id,
    struct stack9_space *space, struct stack9_sample **sample)
{
	if (sample != nullptr)
		*sample = nullptr;
	if (const int error = check_arguments({
	    {sample == nullptr, "sample is NULL"},
	    {id == 0, "id is 0"},
	    }); error != 0)
		return error;
	return in_stream(stream, [&] {
		std::uint64_t cookie;
		return streams::of_process().find(*stream, id, cookie) ?
		    collect(id, cookie, space, *sample) : ENOENT;
	});
}

extern "C" int
stack9_async_cancel(struct stack9_async *stream, stack9_id id)
{
	return in_stream(stream, [&] {
		return streams::of_process().cancel(*stream, id);
	});
}

extern "C" int
stack9_async_release(struct stack9_async *stream, stack9_id id)
{
	return in_stream(stream, [&] {
		return streams::of_process().release(*stream, id);
	});
}

extern "C" int
stack9_async_next(struct stack9_async *stream, struct stack9_ready *ready)
{
	if (const int error = check_arguments({
	    {ready == nullptr, "ready is NULL"},
	    }); error != 0)
		return error;
	return in_stream(stream, [&] {
		stack9_ready r{};
		const int error = streams::of_process().next(*stream, r);
		return error != 0 || write_result(r, 32, ready) ? error :
		    failed(EINVAL, "ready->size is not that of the structure");
	});
}

extern "C" int
stack9_async_fd(struct stack9_async *stream, int *fd)
{
	if (const int error = check_stream(stream); error != 0)
		return error;
	if (const int error = check_arguments({
	    {fd == nullptr, "fd is NULL"},
	    }); error != 0)
		return error;
	*fd = stream->all.get();
	return 0;
}

extern "C" int
stack9_async_watch(struct stack9_async *stream, const char *events,
    const struct stack9_watch_options *options)
{
	stack9_watch_options o;
	const char *const wrong = read_watch_options(options, o);
	if (const int error = check_arguments({
	    {events == nullptr, "events is NULL"},
	    {wrong != nullptr, wrong},
	    {o.flags != 0 || o.frames != 0 || o.stacks != 0 || o.ring != 0 ||
	    o.rules != 0 || o.limit != 0 || o.min_ns != 0 || o.max_ns != 0 ||
	    o.comm != nullptr || o.cgroup != nullptr, "options has a member "
	    "other than pid, tid, side and cookie"},
	    }); error != 0)
		return error;
	return in_stream(stream, [&] {
		std::string name, category;
		if (const int error = queue_event(events, name, category);
		    error != 0)
			return failed(error, "only t:CATEGORY:NAME and "
			    "cpu-clock:HZ submit threads");
		const char *why = nullptr;
		const async_event event{name.c_str(), o.pid, o.tid,
		    static_cast<stack9_side>(o.side), o.cookie,
		    category.empty() ? nullptr : category.c_str()};
		return with_reason(streams::of_process().watch(*stream, event,
		    why), why);
	});
}

extern "C" int
stack9_async_limit(uint32_t captures, size_t bytes)
{
	if (const int error = check_arguments({
	    {captures == 0, "captures is 0"},
	    {captures > async_most_captures, "captures is more than 1000000"},
	    {bytes > std::uint64_t{captures} << 20,
	    "bytes is more than a MiB for each of captures"},
	    }); error != 0)
		return error;
	return public_call([&] { return async_limit(captures, bytes); });
}
