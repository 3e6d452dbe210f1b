// Defines the route of events and the backend's table.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/backend.h"

#include "backends/linux-events/probes/find_probes.h"
#include "backends/linux-events/probes/list_probes.h"
#include "backends/linux-events/probes/listing.h"
#include "backends/linux-events/programs/programs.h"
#include "backends/linux-events/sampled/sampled_watch.h"
#include "backends/linux-events/watch/watch.h"

namespace stack9 {
namespace events {
namespace {

class route final : public event_route {
public:
	constexpr route()
	    : event_route("bpf-events", "programs on events count stacks in "
	    "the kernel or send them through a ring", 10) {}

	// A trial shows what the kernel refuses to every program on events.  An
	// event's own program may be refused all the same: watch() says so.
	verdict
	can() noexcept override
	{
		return try_reader();
	}

	static int
	list(const watch_request &r, event_watcher *&out, std::string &why)
	{
		std::vector<probe> probes;
		int error = list_probes(r.event,
		    (r.filter.flags & STACK9_WATCH_REGEX) != 0, r.filter.pid,
		    probes, why);
		if (error != 0)
			return error;
		auto fresh = std::make_unique<listing>(std::move(probes));
		error = fresh->begin();
		if (error == 0)
			out = fresh.release();
		return error;
	}

	int
	watch(const watch_request &r, event_watcher *&out, std::string &why)
	    override
	{
		std::vector<probe> probes;
		if (r.sink.flags & STACK9_WATCH_LIST)
			return list(r, out, why);
		if (const int error = find_probes(r.event,
		    (r.filter.flags & STACK9_WATCH_REGEX) != 0, r.filter.pid,
		    probes,
		    why); error != 0)
			return error;
		auto fresh = std::make_unique<events::watch>(r,
		    std::move(probes));
		if (const int error = fresh->begin(why); error != 0)
			return error;
		out = fresh.release();
		return 0;
	}
};

// For those who may load no programs.
class sampling_route final : public event_route {
public:
	constexpr sampling_route()
	    : event_route("perf-events", "perf's software events in processes "
	    "of one's own, with copies of stacks", 20) {}

	verdict
	can() noexcept override
	{
		return try_sampling();
	}

	bool
	takes(const watch_request &r) override
	{
		std::vector<probe> probes;
		std::string why;
		if ((r.filter.pid == 0 && r.filter.tid == 0) ||
		    r.filter.cgroup != nullptr || (r.sink.flags &
		    (STACK9_WATCH_FRAME_POINTERS | STACK9_WATCH_WAKERS |
		    STACK9_WATCH_LIST)) != 0)
			return false;
		const int error = find_probes(r.event, false, r.filter.pid,
		    probes, why);
		return error != 0 ? error == EINVAL : probes.size() == 1 &&
		    (probes[0].kind == probe_kind::software ||
		    probes[0].kind == probe_kind::off_cpu);
	}

	int
	watch(const watch_request &r, event_watcher *&out, std::string &why)
	    override
	{
		std::vector<probe> probes;
		if (const int error = find_probes(r.event, false, r.filter.pid,
		    probes, why); error != 0)
			return error;
		auto fresh = std::make_unique<sampled_watch>(r,
		    std::move(probes));
		if (const int error = fresh->begin(why); error != 0)
			return error;
		out = fresh.release();
		return 0;
	}
};

constinit route bpf_events;
constinit sampling_route sampling;
constinit event_route *const routes[] = {&bpf_events, &sampling};

} // namespace
} // namespace events

extern const backend backend_linux_events;
constinit const backend backend_linux_events{
	.name = "linux-events",
	.events = events::routes,
};

} // namespace stack9
