// Implements the C entry points of event watches.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/watch.h"

#include <cerrno>
#include <cstring>
#include <new>

#include "core/seam/backend.h"
#include "route.h"
#include "os/linux/uncancelled.h"

namespace stack9 {
namespace {

void
say(const std::string &why, char *reason) noexcept
{
	if (reason == nullptr)
		return;
	const std::size_t n = why.copy(reason, STACK9_REASON_MAX - 1);
	reason[n] = '\0';
}

int
watch(const watch_request &r, stack9_watcher *&out, std::string &why)
{
	bool asked = false;
	stack9_record told{};
	const int error = first_answer<job::events>(told, [&](event_route &by) {
		if (const verdict v = by.can(); v.error != 0)
			return answer::refused(v);
		asked = true;
		return answer::is(by.watch(r, out, why));
	});
	if (!asked)
		why = told.reason != nullptr ? told.reason :
		    std::strerror(error);
	return error;
}

// Calls fn() and turns its exceptions into an errno.
template <typename Fn>
int
in_c(Fn fn) noexcept
{
	const uncancelled guard;
	try {
		return fn();
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
}

} // namespace
} // namespace stack9

extern "C" int
stack9_watch(const char *event, const struct stack9_filter *filter,
    const struct stack9_sink *sink, struct stack9_watcher **watch, char *reason)
{
	if (reason != nullptr)
		reason[0] = '\0';
	if (event == nullptr || sink == nullptr || watch == nullptr) {
		stack9::say("no event, no sink or nowhere to put the watch",
		    reason);
		return EINVAL;
	}
	return stack9::in_c([&] {
		std::string why;
		const int error = stack9::watch({event, filter != nullptr ?
		    *filter : stack9_filter{}, *sink}, *watch, why);
		if (error != 0)
			stack9::say(why.empty() ? std::strerror(error) : why,
			    reason);
		return error;
	});
}

extern "C" int
stack9_watch_fd(const struct stack9_watcher *watch)
{
	return watch->fd();
}

extern "C" int
stack9_watch_read(struct stack9_watcher *watch, int timeout_ms)
{
	if (watch == nullptr || timeout_ms < -1)
		return EINVAL;
	return stack9::in_c([&] { return watch->read(timeout_ms); });
}

extern "C" int
stack9_watch_counts(struct stack9_watcher *watch)
{
	if (watch == nullptr)
		return EINVAL;
	return stack9::in_c([&] { return watch->counts(); });
}

extern "C" int
stack9_watch_stop(struct stack9_watcher *watch)
{
	if (watch == nullptr)
		return EINVAL;
	return stack9::in_c([&] { return watch->stop(); });
}

extern "C" int
stack9_watch_counted(struct stack9_watcher *watch,
    struct stack9_watch_tally *tally)
{
	if (watch == nullptr || tally == nullptr)
		return EINVAL;
	*tally = {};
	return stack9::in_c([&] { return watch->counted(*tally); });
}

extern "C" int
stack9_watch_each_event(const struct stack9_watcher *watch,
    stack9_event_fn *fn, void *arg)
{
	if (watch == nullptr || fn == nullptr)
		return EINVAL;
	return stack9::in_c([&] { return watch->each_event(fn, arg); });
}

extern "C" void
stack9_watch_close(struct stack9_watcher *watch)
{
	const stack9::uncancelled guard;
	delete watch;
}
