// Keeps which submission belongs to which stream, and sorts what is ready by
// stream.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>
#include <memory>
#include <new>

#include <sys/epoll.h>

#include "async.h"

namespace stack9 {
namespace {

using locked = std::lock_guard<std::mutex>;

} // namespace

// A child has none of its parent's submissions, and one of the parent's threads
// may have held the lock.
streams &
streams::of_process()
{
	struct made {
		pid_t	pid;
		streams	of;
	};
	static constinit std::atomic<made *> now{nullptr};
	made *known = now.load(std::memory_order_acquire);
	if (known != nullptr && known->pid == getpid())
		return known->of;
	made *const fresh = new made{getpid(), {}};
	if (now.compare_exchange_strong(known, fresh))
		return fresh->of;
	delete fresh;
	return known->of;
}

// The descriptor shows what the process has ready, too: it is then sorted by
// whichever stream is asked first.
int
streams::open(stack9_async &s) noexcept
{
	int fd = -1;
	if (const int error = async_ready_fd(fd); error != 0)
		return error;
	if (const int error = s.has_ready.open(); error != 0)
		return error;
	s.all = unique_fd(epoll_create1(EPOLL_CLOEXEC));
	return s.all && add_to_epoll(s.all.get(), fd) &&
	    add_to_epoll(s.all.get(), s.has_ready.get()) ? 0 : errno;
}

void
streams::close(stack9_async &s) noexcept
{
	for (const stack9_async::event &e : s.events)
		async_submit_off(e.by);
	const locked alone(lock_);
	for (const stack9_async::event &e : s.events)
		events_.erase(e.number);
	for (auto at = submissions_.begin(); at != submissions_.end();) {
		if (at->second.stream != &s) {
			++at;
			continue;
		}
		async_release(at->first);
		at = submissions_.erase(at);
	}
}

// The id is known before another thread can find it ready: the lock is held.
int
streams::submit(stack9_async &s, const stack9_thread &td, stack9_side side,
    bool wake, std::uint64_t cookie, stack9_id &id, const char *&why)
{
	const locked alone(lock_);
	stack9_id made;
	const int error = async_submit(td, side, wake, made, why);
	if (error != 0)
		return error;
	try {
		submissions_.insert_or_assign(made, owner{&s, cookie});
	} catch (const std::bad_alloc &) {
		async_release(made);
		throw;
	}
	id = made;
	return 0;
}

int
streams::watch(stack9_async &s, const async_event &event, const char *&why)
{
	const locked alone(lock_);
	const std::uint64_t number = ++last_event_;
	s.events.reserve(s.events.size() + 1);
	events_.insert_or_assign(number, owner{&s, event.cookie});
	async_event numbered = event;
	numbered.cookie = number;
	submitter *by = nullptr;
	const int error = async_submit_on(numbered, by, why);
	if (error != 0)
		events_.erase(number);
	else
		s.events.push_back({by, number});
	return error;
}

void
streams::show(stack9_async &s) noexcept
{
	if (!s.ready.empty() || s.dropped != 0)
		s.has_ready.raise();
	else
		s.has_ready.lower();
}

// The kernel does not say whose events were lost, so every stream that watches
// some gets their number.
void
streams::sort_out(const arrival &a)
{
	if (a.dropped != 0)
		for (const auto &[number, w] : events_)
			if (w.stream->events.front().number == number) {
				w.stream->dropped += a.dropped;
				show(*w.stream);
			}
	if (a.id == 0)
		return;
	auto at = submissions_.find(a.id);
	if (at == submissions_.end()) {
		const auto by = events_.find(a.cookie);
		if (by == events_.end()) {
			async_release(a.id);	// its stream has been closed
			return;
		}
		at = submissions_.insert({a.id, by->second}).first;
	}
	stack9_async &s = *at->second.stream;
	stack9_ready r{};
	r.id = a.id;
	r.cookie = at->second.cookie;
	s.ready.push_back(r);
	show(s);
}

void
streams::sort_out()
{
	arrival some[64];
	std::size_t count = 0;
	while (async_ready(some, std::size(some), count) == 0)
		for (std::size_t i = 0; i < count; i++)
			sort_out(some[i]);
}

// An id that was released after it became ready is passed over.
int
streams::next(stack9_async &s, stack9_ready &to)
{
	const locked alone(lock_);
	if (s.ready.empty())
		sort_out();
	to = stack9_ready{};
	while (!s.ready.empty()) {
		const stack9_ready first = s.ready.front();
		s.ready.pop_front();
		if (submissions_.find(first.id) == submissions_.end())
			continue;
		to = first;
		break;
	}
	to.dropped = std::exchange(s.dropped, 0);
	show(s);
	return to.id != 0 || to.dropped != 0 ? 0 : EAGAIN;
}

bool
streams::find(const stack9_async &s, stack9_id id, std::uint64_t &cookie)
{
	const locked alone(lock_);
	const auto at = submissions_.find(id);
	if (at == submissions_.end() || at->second.stream != &s)
		return false;
	cookie = at->second.cookie;
	return true;
}

int
streams::cancel(stack9_async &s, stack9_id id) noexcept
{
	std::uint64_t cookie;
	return find(s, id, cookie) ? async_cancel(id) : ENOENT;
}

int
streams::release(stack9_async &s, stack9_id id) noexcept
{
	const locked alone(lock_);
	const auto at = submissions_.find(id);
	if (at == submissions_.end() || at->second.stream != &s)
		return ENOENT;
	submissions_.erase(at);
	return async_release(id);
}

} // namespace stack9
