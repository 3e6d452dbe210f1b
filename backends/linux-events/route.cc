// Defines the route of events and the backend's table.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/backend.h"

#include "find_points.h"
#include "list_points.h"
#include "listing.h"
#include "programs.h"
#include "watch.h"

namespace stack9 {
namespace events {
namespace {

class route final : public event_route {
public:
	constexpr route()
	    : event_route("bpf-events", "programs on events count stacks in "
	    "the kernel or send them through a ring", 10) {}

	// A trial shows what the kernel refuses to every program on events.  An
	// event's own program may be refused all the same, which watch() tells.
	verdict
	can() noexcept override
	{
		return try_reader();
	}

	static int
	list(const watch_request &r, event_watcher *&out, std::string &why)
	{
		std::vector<point> points;
		int error = list_points(r.event,
		    (r.filter.flags & STACK9_WATCH_REGEX) != 0, r.filter.pid,
		    points, why);
		if (error != 0)
			return error;
		auto fresh = std::make_unique<listing>(std::move(points));
		error = fresh->begin();
		if (error == 0)
			out = fresh.release();
		return error;
	}

	int
	watch(const watch_request &r, event_watcher *&out, std::string &why)
	    override
	{
		std::vector<point> points;
		if (r.sink.flags & STACK9_WATCH_LIST)
			return list(r, out, why);
		if (const int error = find_points(r.event,
		    (r.filter.flags & STACK9_WATCH_REGEX) != 0, r.filter.pid,
		    points,
		    why); error != 0)
			return error;
		auto fresh = std::make_unique<events::watch>(r,
		    std::move(points));
		if (const int error = fresh->begin(why); error != 0)
			return error;
		out = fresh.release();
		return 0;
	}
};

constinit route bpf_events;
constinit event_route *const routes[] = {&bpf_events};

} // namespace
} // namespace events

extern const backend backend_linux_events;
constinit const backend backend_linux_events{
	.name = "linux-events",
	.events = events::routes,
};

} // namespace stack9
