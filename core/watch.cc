// Begins watches by the routes of their job.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "route.h"

#include <cerrno>
#include <cstring>
#include <new>

#include "core/seam/backend.h"
#include "core/seam/watch.h"
#include "os/uncancelled.h"

namespace stack9 {
namespace {

int
ask(const watch_request &r, event_watcher *&out, std::string &why)
{
	bool asked = false;
	stack_record refused{};
	const int error = first_answer<job::events>(refused,
	    [&](event_route &by) {
		if (const verdict v = by.can(); v.error != 0)
			return answer::refused(v);
		if (!by.takes(r))
			return answer::refused(EOPNOTSUPP,
			    "no route that is left watches this");
		asked = true;
		return answer::is(by.watch(r, out, why));
	});
	if (!asked)
		why = refused.reason != nullptr ? refused.reason :
		    std::strerror(error);
	else if (error != 0 && why.empty())
		why = std::strerror(error);
	return error;
}

} // namespace

int
begin_watch(const watch_request &r, std::unique_ptr<event_watcher> &out,
    std::string &why) noexcept
{
	const uncancelled guard;
	try {
		event_watcher *made = nullptr;
		const int error = ask(r, made, why);
		if (error == 0)
			out.reset(made);
		return error;
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
}

} // namespace stack9
