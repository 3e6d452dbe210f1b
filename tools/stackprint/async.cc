// Submits threads, waits for them and collects them, batch by batch.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "async.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>
#include <memory>
#include <utility>

#include <poll.h>

#include <fmt/format.h>

#include "synthetic_sample.h"
#include "tools/lib/interruption.h"
#include "tools/lib/rights.h"
#include "tools/model/from_library.h"

namespace stackprint {
namespace {

using clock = std::chrono::steady_clock;

// So many captures take 64 MiB of the kernel's memory.  With borrowed rights
// each costs a descriptor, of which there may be 1024.
constexpr std::size_t most_free = 4096, most_gated = 512;

// This is on top of the 14 KiB that each capture has: one of a few threads may
// be deep.
constexpr std::size_t bytes_each = 4096, bytes_least = 1 << 20;

std::string
late_after(double seconds)
{
	const std::string what = "it has not returned to user space ";
	return what + (seconds == 0 ? "yet" : fmt::format("in {} s", seconds));
}

// Returns false if nothing came before the time was up or the program was
// interrupted.
bool
readable(int fd, int interrupted, clock::time_point until)
{
	using namespace std::chrono;
	pollfd p[] = {{fd, POLLIN, 0}, {interrupted, POLLIN, 0}};
	for (;;) {
		const auto left = until - clock::now();
		if (left <= left.zero())
			return false;
		const auto s = duration_cast<seconds>(left);
		const timespec t{static_cast<time_t>(s.count()),
		    static_cast<long>(nanoseconds(left - s).count())};
		const int n = ppoll(p, std::size(p), &t, nullptr);
		if (n > 0)
			return p[0].revents & POLLIN && p[1].revents == 0;
		if (n < 0 && errno != EINTR)
			return false;
	}
}

// The end of the thread is all that the library knows.
bool
is_unexplained(const std::optional<stack> &user)
{
	return user.has_value() && (user->why == STACK9_WHY_NONE ||
	    user->why == STACK9_WHY_GONE);
}

} // namespace

async::async(const options &o, bool gated, advice &a)
    : opt_(o), gated_(gated), batch_max_(gated ? most_gated : most_free),
      late_(late_after(o.async.value())), advice_(a), space_(gated),
      reasons_(a)
{
}

std::size_t
async::of(const std::vector<pid_t> &tids, const consumer &consume)
{
	interrupted_fd_ = catch_interruption();
	open(tids.size());
	std::size_t at = 0;
	while (at < tids.size() && interruption() == 0) {
		at += submit(&tids[at], tids.size() - at);
		wait();
		if (!collect(consume))
			break;
	}
	return tids.size() - at;
}

// A size that cannot be set stays as it is, and stack9_async_submit() works
// with it.
void
async::open(std::size_t threads)
{
	const std::size_t n = std::min(threads, batch_max_);
	if (n == 0)
		return;
	stack9_async_limit(static_cast<std::uint32_t>(n),
	    std::max(bytes_least, n * bytes_each));
	stack9_async *fresh = nullptr;
	closed_ = stack9_async_open(&fresh);
	stream_.reset(fresh);
	if (closed_ == 0)
		closed_ = stack9_async_fd(fresh, &ready_fd_);
}

// Submits a batch and returns how many of the n threads are in it.  If there is
// no space for more, the threads in the batch are finished first.
std::size_t
async::submit(const pid_t *tids, std::size_t n)
{
	for (std::size_t i = 0; i < n && i < batch_max_; i++) {
		submission s = submitted(tids[i]);
		if (s.error == ENOBUFS && !awaited_.empty())
			return i;
		if (s.handle.id() != 0)
			awaited_.insert(s.handle.id());
		batch_.push_back(std::move(s));
	}
	return batch_.size();
}

// With borrowed rights the caller's right is asked for here, and again when the
// capture is collected, as in capture::capture_gated().
submission
async::submitted(pid_t tid)
{
	submission s;
	s.thread.tid = tid;
	if (gated_) {
		s.asked = std::make_unique<gate>(tid);
		s.withheld = s.asked->ask();
	}
	if (s.withheld == 0) {
		find_and_submit(s);
	} else {
		const as_caller guard;
		if (guard)
			stack9_thread_find(tid, &s.thread);
	}
	return s;
}

void
async::find_and_submit(submission &s)
{
	s.error = stack9_thread_find(s.thread.tid, &s.thread);
	if (s.error != 0)
		return;
	if (opt_.sides() & STACK9_USER) {
		if (stack9_space *const space = space_.of(s.thread)) {
			s.space.reset(stack9_space_hold(space));
		} else if (gated_) {	// as in capture::capture_sides()
			s.withheld = s.asked->ask();
			if (s.withheld == 0)
				s.withheld = EPERM;
			return;
		}
	}
	s.error = closed_;
	if (s.error == 0)
		submit(s);
}

// A kernel thread is refused only if its user side alone is asked for.  With
// both sides its sample says that it is a kernel thread.
void
async::submit(submission &s)
{
	const unsigned int flags = opt_.now ? STACK9_ASYNC_WAKE : 0;
	stack9_id id = 0;
	const auto submitted = [&](int side) {
		return stack9_async_submit(stream_.get(), &s.thread, side,
		    flags, 0, &id);
	};
	s.error = submitted(opt_.sides());
	if (s.error == EOPNOTSUPP && opt_.sides() == STACK9_USER)
		s.error = submitted(STACK9_BOTH);
	if (s.error == 0)
		s.handle = unique_capture(stream_.get(), id);
}

void
async::wait()
{
	const std::chrono::duration<double> patience(opt_.async.value());
	const auto until = clock::now() +
	    std::chrono::duration_cast<clock::duration>(patience);
	do {
		drain();
	} while (!awaited_.empty() &&
	    readable(ready_fd_, interrupted_fd_, until));
	if (interruption() != 0)
		late_ = late_after(0);
}

void
async::drain()
{
	stack9_ready r{};
	r.size = sizeof r;
	while (!awaited_.empty() && stack9_async_next(stream_.get(), &r) == 0)
		awaited_.erase(r.id);
}

// Returns false if no more are wanted.  Each capture is released before the
// next is collected.
bool
async::collect(const consumer &consume)
{
	bool more = true;
	for (submission &s : batch_) {
		more = consume(sample_of(s));
		s = {};
		if (!more)
			break;
	}
	batch_.clear();
	awaited_.clear();
	return more;
}

sample_ptr
async::sample_of(submission &s)
{
	const sample_ptr there = s.handle.id() != 0 ? collected(s) :
	    s.error != 0 ? reasons_.explain(s.thread, opt_.sides(), s.error) :
	    nullptr;
	if (s.withheld == 0 && s.asked != nullptr)
		s.withheld = s.asked->ask();
	if (s.withheld == 0)
		return there;
	const as_caller guard;
	return withheld_sample(s.thread, opt_.sides(), s.withheld, advice_);
}

// EAGAIN and ESRCH are about the user side alone: the kernel side has been
// captured, and has an error of its own.  EAGAIN may also be the user side's
// error, if the submission is over.
sample_ptr
async::collected(const submission &s)
{
	stack9_sample *there = nullptr;
	const int error = stack9_async_collect(stream_.get(), s.handle.id(),
	    s.space.get(), &there);
	if (there == nullptr)
		return reasons_.explain(s.thread, opt_.sides(), error);
	const auto made = std::make_shared<sample>(from_library(held(there)));
	const auto fail_user = [&](int why, const char *reason) {
		made->name.clear();
		if (made->user.has_value())
			made->user = without_frames(STACK9_USER, error, why,
			    reason, made->user->route);
	};
	made->captured.reset();
	made->thread = s.thread;
	if (!(opt_.sides() & STACK9_KERNEL))
		made->kernel.reset();
	if (error == EAGAIN && awaited_.count(s.handle.id()) != 0) {
		fail_user(STACK9_WHY_AWAY, late_.c_str());
		advice_.not_returned(opt_.now);
	} else if (error == ESRCH && is_unexplained(made->user)) {
		fail_user(STACK9_WHY_GONE,
		    "it ended before it returned to user space");
	}
	for (std::optional<stack> *const side : {&made->kernel, &made->user})
		if (side->has_value())
			cut(**side, opt_.depth);
	return made;
}

} // namespace stackprint
