// Implements route "perf": captures by a clock event that is bound to the
// thread.  The event ticks only while the thread runs.  It is kept for the next
// capture of the same thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>
#include <memory>

#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/capture_lock.h"
#include "bpf/program.h"
#include "bpf/scoped.h"
#include "bpf/validate_running.h"
#include "images.h"
#include "routes.h"

namespace stack9::bpf {
namespace {

constinit object object_of_perf(s9_image_perf,
    "cannot load a perf_event program with a ring buffer (Linux 5.8)", true);

constexpr int wait_ms = 10;		// after that it must be asleep
constexpr std::uint64_t tick_ns = 50'000;

// The event of the last thread that was captured.  capture_mutex() guards it.
class bound_event {
public:
	int
	sample(const stack9_thread &td, const lead &l, s9_record &seen) noexcept
	{
		if (const int error = prepare(td, l); error != 0)
			return error;
		to_ = &seen;
		received_ = false;
		ring_buffer__consume(ring_.get());	// an earlier sample
		received_ = false;
		if (ioctl(event_.get(), PERF_EVENT_IOC_ENABLE, 0) != 0)
			return errno;
		const int n = ring_buffer__poll(ring_.get(), wait_ms);
		ioctl(event_.get(), PERF_EVENT_IOC_DISABLE, 0);
		if (n < 0 && n != -EINTR)
			return -n;
		if (received_ && seen.host_tid == l.host_tid &&
		    seen.start_ns == l.start_ns)
			return 0;
		return EAGAIN;
	}

private:
	static int
	keep(void *self, void *data, std::size_t size) noexcept
	{
		auto *e = static_cast<bound_event *>(self);
		if (size < sizeof(s9_record) || e->received_)
			return 0;
		std::memcpy(e->to_, data, sizeof(s9_record));
		e->received_ = true;
		return 0;
	}

	int
	prepare(const stack9_thread &td, const lead &l) noexcept
	{
		// As in object::drop(), they are not closed: the numbers may
		// belong to others.
		const bool forked = generation_ != fork_generation();
		const bool closed = !forked && event_ &&
		    ioctl(event_.get(), PERF_EVENT_IOC_DISABLE, 0) != 0;
		if (closed)
			object_of_perf.lost(object_of_perf.program());
		if (forked || closed) {
			event_.release();
			ring_.release();
			generation_ = fork_generation();
		}
		if (const verdict v = object_of_perf.load(); v.error != 0)
			return v.error;
		if (ring_ == nullptr)
			ring_.reset(ring_buffer__new(object_of_perf.map(),
			    keep, this, nullptr));
		if (ring_ == nullptr)
			return errno;
		if (event_ && tid_ == l.host_tid && start_ns_ == l.start_ns)
			return 0;
		tid_ = l.host_tid;
		start_ns_ = l.start_ns;
		return open(td.tid);
	}

	int
	open(pid_t tid) noexcept
	{
		perf_event_attr attr{};
		attr.size = sizeof attr;
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_CPU_CLOCK;
		attr.sample_period = tick_ns;
		attr.disabled = 1;
		event_ = unique_fd(static_cast<int>(syscall(
		    SYS_perf_event_open, &attr, tid, -1, -1,
		    PERF_FLAG_FD_CLOEXEC)));
		if (!event_)
			return errno == EACCES ? EPERM : errno;
		if (ioctl(event_.get(), PERF_EVENT_IOC_SET_BPF,
		    object_of_perf.program()) == 0)
			return 0;
		const int error = errno;
		event_.reset();
		return error == EACCES ? EPERM : error;
	}

	std::unique_ptr<ring_buffer, ring_freer>	 ring_;
	unique_fd					 event_;
	std::int32_t					 tid_ = 0;
	std::uint64_t					 start_ns_ = 0;
	unsigned int					 generation_ = 0;
	s9_record					*to_ = nullptr;
	bool						 received_ = false;
};

// The event is never destroyed: another thread may use it while the process
// exits.
bound_event &
event() noexcept
{
	alignas(bound_event) static char storage[sizeof(bound_event)];
	static bound_event *const e = new (storage) bound_event;
	return *e;
}

} // namespace

verdict
perf_route::can() noexcept
{
	return object_of_perf.load();
}

int
perf_route::save(const stack9_thread &td, stack_record &rec, const lead &l)
    noexcept
{
	return sample_and_validate([&](s9_record &seen) {
		const guard locked(capture_mutex());
		const int error = event().sample(td, l, seen);
		if (error == EAGAIN)
			rec.why = STACK9_WHY_MOVED;
		if (error == ESRCH)
			rec.why = STACK9_WHY_GONE;
		return error == EINVAL || error == ENODEV || error == ENOENT ?
		    EOPNOTSUPP : error;
	}, sample_origin::at_pc, td, rec);
}

} // namespace stack9::bpf
