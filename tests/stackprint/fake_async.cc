// Plays the fake libstack9's asynchronous captures: a thread is submitted, and
// is over at once, or when it is asked about again, or never.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "fake_sample.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>

#include <sys/eventfd.h>
#include <unistd.h>

#include <stack9_async.h>

using namespace fake;

namespace {

// Later than the kernel's.
constexpr std::uint64_t user_ns = 123456999;

struct capture {
	stack9_thread	td;
	int		side;
	std::uint64_t	cookie;
};

class captures {
public:
	~captures()
	{
		if (asked_for("async-told"))
			std::fprintf(stderr, "most held %zu, still held %zu\n",
			    most_, all_.size());
	}

	int
	add(const stack9_thread &td, int side, std::uint64_t cookie,
	    stack9_id &id)
	{
		begun_ = true;
		if (all_.size() >= room())
			return ENOBUFS;
		id = ++last_;
		all_[id] = {td, side, cookie};
		most_ = std::max(most_, all_.size());
		if (td.tid == slow)
			later_.push_back(id);
		else if (td.tid != away || side == STACK9_KERNEL)
			over_.push_back(id);
		signal();
		return 0;
	}

	const capture *
	find(stack9_id id) const
	{
		const auto at = all_.find(id);
		return at == all_.end() ? nullptr : &at->second;
	}

	bool
	is_over(stack9_id id) const
	{
		return find(id)->td.tid != away ||
		    find(id)->side == STACK9_KERNEL;
	}

	int
	remove(stack9_id id)
	{
		std::erase(over_, id);
		std::erase(later_, id);
		signal();
		return all_.erase(id) == 1 ? 0 : ENOENT;
	}

	// A slow one is there after a call that gave nothing.
	int
	take(stack9_ready &to)
	{
		const bool any = !over_.empty();
		if (any) {
			to.id = over_.front();
			over_.pop_front();
		} else {
			over_.swap(later_);
			if (over_.empty() && asked_for("interrupt"))
				kill(getpid(), SIGINT);
		}
		signal();
		return any ? 0 : EAGAIN;
	}

	int
	limit(std::size_t most)
	{
		if (begun_)
			return EBUSY;
		limit_ = most;
		return 0;
	}

	// It is made when main() runs: before that, it might take the place of
	// a stream that is closed.
	int
	fd()
	{
		if (fd_ < 0)
			fd_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		return fd_;
	}

private:
	std::size_t
	room() const
	{
		return asked_for("two-slots") ? 2 : asked_for("no-slots") ? 0 :
		    limit_;
	}

	void
	signal()
	{
		std::uint64_t n = 1;
		if (over_.empty() && later_.empty())
			(void)!read(fd(), &n, sizeof n);
		else
			(void)!write(fd(), &n, sizeof n);
	}

	int		fd_ = -1;
	bool		begun_ = false;
	stack9_id	last_ = 0;
	std::size_t	limit_ = 1024, most_ = 0;
	std::map<stack9_id, capture> all_;
	std::deque<stack9_id> over_, later_;
};
captures held;

int
refusal()
{
	return asked_for("no-rights") ? EPERM : asked_for("no-async") ?
	    EOPNOTSUPP : 0;
}

int
refusal_of(pid_t tid, int side)
{
	if (const int error = refusal(); error != 0)
		return error;
	return tid == ended ? ESRCH : tid == young ? EAGAIN :
	    tid == kthread && side == STACK9_USER ? EOPNOTSUPP : 0;
}

} // namespace

int
fake::report_async_routes(stack9_route_fn *fn, void *arg, int error)
{
	const int retry = error != 0 ? error : refusal();
	const int work = retry != 0 ? retry :
	    asked_for("no-task-work") ? EOPNOTSUPP : 0;
	fn(arg, "asynchronous captures", "task-work", work,
	    work != 0 ? "needs task work" : "by the threads");
	return fn(arg, "asynchronous captures", "retry", retry,
	    retry != 0 ? "needs more" : "tried again");
}

extern "C" int
stack9_async_limit(uint32_t captures, size_t bytes)
{
	if (asked_for("async-told"))
		std::fprintf(stderr, "limit: %u captures, %zu bytes\n",
		    captures, bytes);
	return captures == 0 ? EINVAL : held.limit(captures);
}

extern "C" int
stack9_async_open(struct stack9_async **stream)
{
	*stream = nullptr;
	if (refusal() == 0)
		*stream = reinterpret_cast<stack9_async *>(&held);
	return refusal();
}

extern "C" void
stack9_async_close(struct stack9_async *)
{
}

extern "C" int
stack9_async_submit(struct stack9_async *, const struct stack9_thread *td,
    int side, unsigned int flags, uint64_t cookie, stack9_id *id)
{
	report_rights("submit");
	if (asked_for("async-told"))
		std::fprintf(stderr, "submit: tid %d side %d flags %u\n",
		    td->tid, side, flags);
	if (const int error = refusal_of(td->tid, side); error != 0)
		return error;
	const int error = held.add(*td, side, cookie, *id);
	turn(td->tid);
	return error;
}

extern "C" int
stack9_async_collect(struct stack9_async *, stack9_id id,
    struct stack9_space *space, struct stack9_sample **sample)
{
	*sample = nullptr;
	const capture *const c = held.find(id);
	if (c == nullptr)
		return ENOENT;
	if (c->td.tid == taken_back)
		return ECANCELED;
	played p(role_of(c->td.tid), c->td.pid, c->side, space);
	p.sample.cookie = c->cookie;
	p.user.when_ns = user_ns;
	if (c->side == STACK9_USER)
		p.sample.when_ns = user_ns;
	const int error = !held.is_over(id) ? EAGAIN :
	    c->td.tid == ending ? ESRCH : 0;
	if (error != 0) {
		p.fail(p.user, error, error == EAGAIN ? STACK9_WHY_AWAY :
		    STACK9_WHY_GONE, nullptr);
		p.user.route = "";
		p.user.when_ns = 0;
		if (c->side == STACK9_USER)
			p.forget();
	}
	*sample = stack9_sample_hold(&p.sample);
	return error != 0 ? error : c->side == STACK9_KERNEL ? 0 : p.user.error;
}

extern "C" int
stack9_async_release(struct stack9_async *, stack9_id id)
{
	return held.remove(id);
}

extern "C" int
stack9_async_next(struct stack9_async *, struct stack9_ready *ready)
{
	return held.take(*ready);
}

extern "C" int
stack9_async_fd(struct stack9_async *, int *fd)
{
	*fd = held.fd();
	return 0;
}
