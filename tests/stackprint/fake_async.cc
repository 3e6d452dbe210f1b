// The fake libstack9's asynchronous captures: a thread is submitted, and is
// over at once, or when it is asked about again, or never.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core_calls.h"
#include "fake_cast.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>

#include <sys/eventfd.h>
#include <unistd.h>


using namespace fake;

namespace {

// Later than the kernel's.
constexpr std::uint64_t user_ns = 123456999;

struct capture {
	stack9_thread	td;
	stack9_side	side;
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
	add(const stack9_thread &td, stack9_side side, stack9_id &id)
	{
		begun_ = true;
		if (all_.size() >= room())
			return ENOBUFS;
		id = ++last_;
		all_[id] = {td, side};
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

	// Two at a time; a slow one is there after a call that gave nothing.
	int
	take(stack9::arrival *to, std::size_t max, std::size_t &count)
	{
		count = std::min({over_.size(), max, std::size_t{2}});
		for (std::size_t i = 0; i < count; i++) {
			to[i] = {over_.front(), 0, 0};
			over_.pop_front();
		}
		if (count == 0)
			over_.swap(later_);
		signal();
		return count == 0 ? EAGAIN : 0;
	}

	int
	limit(std::size_t most)
	{
		if (begun_)
			return EBUSY;
		limit_ = most;
		return 0;
	}

	int fd() const { return fd_; }

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
			(void)!read(fd_, &n, sizeof n);
		else
			(void)!write(fd_, &n, sizeof n);
	}

	const int	fd_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
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
refusal_of(pid_t tid, stack9_side side)
{
	if (const int error = refusal(); error != 0)
		return error;
	return tid == ended ? ESRCH : tid == young ? EAGAIN :
	    tid == kthread && side == STACK9_USER ? EOPNOTSUPP : 0;
}

// What stands in a record that the thread is not known from.
void
blank(stack9::stack_record &rec)
{
	rec.thread = {};
	rec.state = '?';
	rec.cpu = -1;
	rec.comm[0] = '\0';
	rec.why = STACK9_WHY_NONE;
	rec.reason = nullptr;
}

void
give(const capture &c, stack9_side side, stack9::stack_record *rec)
{
	if (rec == nullptr)
		return;
	play(role_of(c.td.tid), c.td.pid, side, *rec);
	if (side == STACK9_USER)
		rec->when_ns = user_ns;
}

} // namespace

int
fake::tell_async_routes(stack9_route_fn *fn, void *arg, int error)
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
core::submit(const struct stack9_thread *td, enum stack9_side side,
    unsigned int flags, stack9_id *id)
{
	tell_rights("submit");
	if (asked_for("async-told"))
		std::fprintf(stderr, "submit: tid %d side %d flags %u\n",
		    td->tid, side, flags);
	if (const int error = refusal_of(td->tid, side); error != 0)
		return error;
	const int error = held.add(*td, side, *id);
	turn(td->tid);
	return error;
}

extern "C" int
core::collect(stack9_id id, stack9::stack_record *kernel,
    stack9::stack_record *user)
{
	const capture *const c = held.find(id);
	if (c == nullptr)
		return ENOENT;
	for (stack9::stack_record *rec : {kernel, user})
		if (rec != nullptr)
			blank(*rec);
	if (c->td.tid == taken_back)
		return ECANCELED;
	give(*c, STACK9_KERNEL, kernel);
	if (!held.is_over(id))
		return EAGAIN;
	if (c->td.tid == ending)
		return ESRCH;
	give(*c, STACK9_USER, user);
	return 0;
}

extern "C" int
core::release(stack9_id id)
{
	return held.remove(id);
}

extern "C" int
core::ready(stack9::arrival *ready, size_t max, size_t *count)
{
	return refusal() != 0 ? refusal() : held.take(ready, max, *count);
}

extern "C" int
core::ready_fd(int *fd)
{
	if (const int error = refusal(); error != 0)
		return error;
	*fd = held.fd();
	return 0;
}
