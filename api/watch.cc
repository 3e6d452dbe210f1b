// Reads watches: waits for events, for a wake, and for the end of the process
// that is watched, and lends samples.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "watch.h"

#include <algorithm>
#include <cerrno>
#include <new>

#include <poll.h>
#include <sys/epoll.h>

#include "core/arguments.h"
#include "core/route.h"
#include "os/clocks.h"
#include "os/uncancelled.h"

#include "own_space.h"

using namespace stack9;

namespace {

bool
is_readable(int fd) noexcept
{
	pollfd p{fd, POLLIN, 0};
	return poll(&p, 1, 0) == 1;
}

} // namespace

int
stack9_watch::open(const char *events, std::string &why)
{
	if (const int error = open_watched(options_, watched_); error != 0) {
		why = error == ESRCH ? "the process or thread to watch does "
		    "not exist" : "";
		return error;
	}
	const stack9_watch_options &o = options_;
	const watch_filter filter{o.pid, o.tid, o.comm, o.cgroup,
	    o.flags & (STACK9_WATCH_ONE_CPU | STACK9_WATCH_REGEX |
	    STACK9_WATCH_OTHERS), o.cpu, o.limit, o.min_ns, o.max_ns};
	const watch_sink sink{o.mode, static_cast<stack9_side>(o.side),
	    o.flags & ~filter.flags, o.frames, o.stacks, o.ring, o.rules,
	    deliver, this};
	if (const int error = begin_watch({events, filter, sink}, by_, why);
	    error != 0)
		return error;
	if (const int error = woken_.open(); error != 0)
		return error;
	signs_ = unique_fd(epoll_create1(EPOLL_CLOEXEC));
	all_ = unique_fd(epoll_create1(EPOLL_CLOEXEC));
	if (!signs_ || !all_ ||
	    !add_to_epoll(signs_.get(), woken_.get()) ||
	    (watched_ && !add_to_epoll(signs_.get(), watched_.get())) ||
	    !add_to_epoll(all_.get(), signs_.get()) ||
	    !add_to_epoll(all_.get(), by_->fd()))
		return errno;
	by_->interrupt_by(signs_.get());
	return 0;
}

void
stack9_watch::show(lent_sample &to, const stack_record *kernel,
    const stack_record *user, const stack9_thread &td)
{
	stack_record unnamed;
	if (user != nullptr && user->depth != 0 && user->space == nullptr &&
	    td.pid != getpid()) {
		// The watch could not look at the process.  By no space at all
		// its addresses would be taken for this process's.
		if (nowhere_ == nullptr)
			nowhere_ = empty_space(td);
		unnamed = *user;
		unnamed.space = nowhere_.get();
		user = &unnamed;
	}
	to.show(kernel, user);
	to.sample().thread = td;
	to.sample().state = '?';
}

int
stack9_watch::deliver(void *arg, const watch_sample *from)
{
	auto &w = *static_cast<stack9_watch *>(arg);
	if (w.fn_ == nullptr)
		return 0;
	w.show(w.lent_, from->kernel, from->user, from->thread);
	stack9_sample &s = w.lent_.sample();
	if (const watch_waker *const by = from->waker) {
		w.show(w.waker_, by->kernel, by->user, by->thread);
		w.waker_.sample().comm = by->comm;
		w.waker_.sample().cpu = -1;
		s.waker = &w.waker_.sample();
		s.waking = by->what;
	}
	s.comm = from->comm;
	s.cpu = from->cpu;
	s.when_ns = from->when_ns;
	s.event = from->event;
	s.kind = w.options_.mode == STACK9_WATCH_COUNT ? STACK9_SAMPLE_COUNT :
	    STACK9_SAMPLE_EVENT;
	s.events = from->events;
	s.weight_ns = from->weight_ns;
	s.dropped = from->dropped;
	s.cookie = from->cookie != 0 ? from->cookie : w.options_.cookie;
	return w.fn_(w.arg_, &s) == 0 ? 0 : ECANCELED;
}

// Runs one call that may call fn, and refuses those that fn makes.
template <class Call>
int
stack9_watch::call(stack9_sample_fn *fn, void *arg, Call make)
{
	if (!is_mine())
		return failed(EINVAL, of_another_process);
	if (calling_)
		return EBUSY;
	struct scope {
		stack9_watch &w;
		~scope()
		{
			w.fn_ = nullptr;
			w.calling_ = false;
		}
	} const here{*this};
	fn_ = fn;
	arg_ = arg;
	calling_ = true;
	return make();
}

bool
stack9_watch::has_ended() const noexcept
{
	return watched_ && is_readable(watched_.get());
}

int
stack9_watch::read(int timeout_ms, stack9_sample_fn *fn, void *arg)
{
	if (const int error = check_arguments({
	    {timeout_ms < -1, "timeout_ms is less than -1"},
	    {fn == nullptr && options_.mode == STACK9_WATCH_STREAM,
	    "fn is NULL, and the watch is a stream"},
	    }); error != 0)
		return error;
	return call(fn, arg, [&] { return wait(timeout_ms); });
}

// The end of the process is looked for first, so that its last events are read
// before its end is reported.
int
stack9_watch::wait(int timeout_ms)
{
	constexpr std::uint64_t ms = 1'000'000;
	const std::uint64_t end = boot_ns() + ms *
	    static_cast<std::uint64_t>(std::max(timeout_ms, 0));
	int left = timeout_ms;
	for (;;) {
		if (is_woken())
			return EINTR;
		const bool ended = has_ended();
		if (const int error = by_->read(ended ? 0 : left);
		    error != EAGAIN)
			return error;
		if (ended)
			return ESRCH;
		if (timeout_ms < 0)
			continue;
		const std::uint64_t now = boot_ns();
		if (now >= end)
			return is_woken() ? EINTR : EAGAIN;
		left = static_cast<int>((end - now + ms - 1) / ms);
	}
}

int
stack9_watch::each(stack9_sample_fn *fn, void *arg)
{
	if (const int error = check_arguments({
	    {fn == nullptr, has_no_fn},
	    {options_.mode != STACK9_WATCH_COUNT, "watch is a stream"},
	    }); error != 0)
		return error;
	return call(fn, arg, [&] { return by_->counts(); });
}

int
stack9_watch::wake() noexcept
{
	return is_mine() ? woken_.raise() : EINVAL;
}

// Records of events that are counted here are read, so that they count.
int
stack9_watch::stop()
{
	return call(nullptr, nullptr, [&] {
		int error = by_->stop();
		if (error == 0 && options_.mode == STACK9_WATCH_COUNT) {
			while ((error = by_->read(0)) == 0)
				;
			error = error == EAGAIN ? 0 : error;
		}
		return error;
	});
}

int
stack9_watch::tally(watch_totals &to)
{
	if (!is_mine())
		return failed(EINVAL, of_another_process);
	return calling_ ? EBUSY : by_->counted(to);
}

int
stack9_watch::events(stack9_event_fn *fn, void *arg)
{
	if (!is_mine())
		return failed(EINVAL, of_another_process);
	if (calling_)
		return EBUSY;
	return by_->each_event(fn, arg) == 0 ? 0 : ECANCELED;
}

int
stack9_watch::map(const char *name, int &fd)
{
	if (!is_mine())
		return failed(EINVAL, of_another_process);
	return by_->border(name, fd);
}

int
stack9_watch::take(const stack9_bpf_stack &from, stack9_sample_fn *fn,
    void *arg)
{
	return call(fn, arg, [&] { return by_->take(from); });
}
