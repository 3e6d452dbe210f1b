// Offers tests the captures and watches of core/ by records, beneath the public
// calls: pointers as those take them, and the caller as the frame where a stack
// begins.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "core/async.h"
#include "core/capture.h"
#include "core/each.h"
#include "core/route.h"
#include "core/save.h"
#include "core/seam/names.h"
#include "core/seam/space.h"
#include "core/seam/symbols.h"
#include "core/seam/watch.h"

namespace core {

using namespace stack9;

// As the public calls: what the caller of this function calls is not on the
// stack.
[[gnu::noinline]] inline int
save(stack9_side side, const stack9_thread *td, stack_record *rec)
{
	if (td == nullptr || rec == nullptr)
		return EINVAL;
	return save_record(side, *td, *rec, STACK9_ORIGIN());
}

[[gnu::noinline]] inline int
save_both(const stack9_thread *td, stack_record *kernel, stack_record *user)
{
	if (td == nullptr || kernel == nullptr || user == nullptr)
		return EINVAL;
	return save_records(*td, *kernel, *user, STACK9_ORIGIN());
}

[[gnu::noinline]] inline int
save_self(stack_record *rec)
{
	if (rec == nullptr)
		return EINVAL;
	if (rec->pcs == nullptr || rec->max == 0)
		return EINVAL;
	return stack9::save_self(*rec, STACK9_ORIGIN());
}

// fn gets one side at a time, the kernel's first.
using side_fn = int(void *arg, const stack_record *rec);

[[gnu::noinline]] inline int
each(stack9_side side, pid_t pid, side_fn *fn, void *arg)
{
	struct sides {
		side_fn	*fn;
		void	*arg;
	} s{fn, arg};
	if (fn == nullptr || pid < 0)
		return EINVAL;
	return each_record(side, pid, STACK9_ORIGIN(), pass_choice{},
	    [](void *to, const stack_record *kernel,
	    const stack_record *user) {
		    const sides &all = *static_cast<sides *>(to);
		    const int stop = kernel != nullptr ?
			all.fn(all.arg, kernel) : 0;
		    return stop == 0 && user != nullptr ?
			all.fn(all.arg, user) : stop;
	    }, &s);
}

inline int
name(std::uintptr_t pc, unsigned int flags, symbol_name *sym)
{
	return sym == nullptr ? EINVAL : find_name(pc, flags, *sym);
}

inline int
space_open(const stack9_thread *td, stack9_space **space)
{
	return stack9::space_open(*td, *space);
}

inline int
space_name(stack9_space *space, std::uintptr_t pc, unsigned int flags,
    symbol_name *sym)
{
	const bool return_address = (flags & name_return_address) != 0;
	return space_find(*space, pc, return_address, *sym);
}

inline int
space_module(stack9_space *space, std::uintptr_t pc, mapped_module *module)
{
	return stack9::space_module(*space, pc, *module);
}

inline int
space_lines(stack9_space *space, std::uintptr_t pc, unsigned int flags,
    source_line_fn *fn, void *arg)
{
	return stack9::space_lines(*space, pc, flags, fn, arg);
}

inline int
submit(const stack9_thread *td, stack9_side side, unsigned int flags,
    stack9_id *id)
{
	const char *why;
	if (td == nullptr || td->tid < 1 || id == nullptr ||
	    side < STACK9_KERNEL || side > STACK9_BOTH ||
	    (flags & ~STACK9_ASYNC_WAKE) != 0)
		return EINVAL;
	return async_submit(*td, side, (flags & STACK9_ASYNC_WAKE) != 0, *id,
	    why);
}

inline int
collect(stack9_id id, stack_record *kernel, stack_record *user)
{
	for (const stack_record *rec : {kernel, user})
		if (rec != nullptr && (rec->pcs == nullptr || rec->max == 0))
			return EINVAL;
	return id == 0 ? EINVAL : async_collect(id, kernel, user);
}

inline int cancel(stack9_id id) { return async_cancel(id); }
inline int release(stack9_id id) { return async_release(id); }

inline int
ready(arrival *to, std::size_t max, std::size_t *count)
{
	return to == nullptr || max == 0 || count == nullptr ? EINVAL :
	    async_ready(to, max, *count);
}

inline int
ready_fd(int *fd)
{
	return fd == nullptr ? EINVAL : async_ready_fd(*fd);
}

inline int
submit_on(const async_event *event, submitter **watch)
{
	const char *why;
	if (event == nullptr || event->name == nullptr || watch == nullptr ||
	    event->pid < 0 || event->tid < 0 || event->side < STACK9_KERNEL ||
	    event->side > STACK9_BOTH)
		return EINVAL;
	return async_submit_on(*event, *watch, why);
}

inline void submit_off(submitter *watch) { async_submit_off(watch); }

inline constexpr std::size_t reason_max = 512;

inline int
watch(const char *event, const watch_filter *filter, const watch_sink *sink,
    event_watcher **out, char *reason)
{
	if (event == nullptr || sink == nullptr || out == nullptr) {
		if (reason != nullptr)
			std::strcpy(reason, "no event, no sink or no watch");
		return EINVAL;
	}
	std::string why;
	std::unique_ptr<event_watcher> made;
	const int error = begin_watch({event, filter != nullptr ? *filter :
	    watch_filter{}, *sink}, made, why);
	if (error == 0)
		*out = made.release();
	if (reason != nullptr)
		reason[error == 0 ? 0 : why.copy(reason, reason_max - 1)] =
		    '\0';
	return error;
}

// Calls fn and turns its exceptions into an errno.
template <class Fn>
int
without_exception(Fn fn) noexcept
{
	try {
		return fn();
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
}

inline int watch_fd(const event_watcher *w) { return w->fd(); }

inline int
watch_read(event_watcher *w, int timeout_ms)
{
	return without_exception([&] { return w->read(timeout_ms); });
}

inline int
watch_counts(event_watcher *w)
{
	return without_exception([&] { return w->counts(); });
}

inline int
watch_stop(event_watcher *w)
{
	return without_exception([&] { return w->stop(); });
}

inline int
watch_counted(event_watcher *w, watch_totals *to)
{
	*to = {};
	return without_exception([&] { return w->counted(*to); });
}

inline int
watch_each_event(const event_watcher *w, stack9_event_fn *fn, void *arg)
{
	return without_exception([&] { return w->each_event(fn, arg); });
}

inline void watch_close(event_watcher *w) { delete w; }

} // namespace core
