// Defines the route "retry": asynchronous captures by the synchronous routes,
// where the kernel has no task work.
//
// A capture is tried when it is submitted.  For most captures this try is the
// last one: it stops no thread, and a thread that sleeps can be read at once.
// The others are tried again whenever the program asks; the descriptor has a
// timer that makes it ask.  One lock guards everything, because a caller that
// waits here would wait for the kernel's stack helper anyway.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "async_retries.h"
#include "route_table.h"

namespace stack9 {
namespace {

class retry_queue final : public async_queue {
public:
	verdict
	open() noexcept override
	{
		return retries::open(captures_);
	}

	verdict
	submit(const stack9_thread &td, stack9_side side, bool,
	    stack_record *kernel, stack9_id &id) noexcept override
	{
		const verdict v = open();
		return v.error != 0 ? v :
		    retries::of_process()->submit(td, side, kernel, id);
	}

	void
	settle(stack9_id id, const stack_record &kernel) noexcept override
	{
		if (retries *const r = retries::of_process())
			r->settle(id, kernel);
	}

	int
	collect(stack9_id id, async_sides &to) noexcept override
	{
		retries *const r = retries::of_process();
		return r == nullptr ? ENOENT : r->collect(id, to);
	}

	int
	cancel(stack9_id id) noexcept override
	{
		retries *const r = retries::of_process();
		return r == nullptr ? ENOENT : r->cancel(id);
	}

	int
	release(stack9_id id) noexcept override
	{
		retries *const r = retries::of_process();
		return r == nullptr ? ENOENT : r->release(id);
	}

	int
	ready(std::span<arrival> to, std::size_t &count)
	    noexcept override
	{
		const verdict v = open();
		return v.error != 0 ? v.error :
		    retries::of_process()->ready(to, count);
	}

	int
	ready_fd(int &fd) noexcept override
	{
		const verdict v = open();
		if (v.error == 0)
			fd = retries::of_process()->fd();
		return v.error;
	}

	int
	limit(std::uint32_t captures, std::size_t) noexcept override
	{
		if (retries::of_process() != nullptr)
			return EBUSY;
		captures_ = captures;
		return 0;
	}

	int
	watch(const async_event &, submitter *&, const char *&)
	    noexcept override
	{
		return EOPNOTSUPP;
	}

	void unwatch(submitter &) noexcept override {}

private:
	std::atomic<std::uint32_t>	captures_{1024};
};

constinit retry_queue the_queue;

class retry_route_type final : public async_route {
public:
	constexpr retry_route_type() : async_route("retry",
	    "the synchronous routes, tried until the thread can be read",
	    90) {}
	verdict can() noexcept override { return {0, nullptr}; }
	async_queue &queue() noexcept override { return the_queue; }
};

constinit retry_route_type the_route;

} // namespace

async_route &
retry_route() noexcept
{
	return the_route;
}

} // namespace stack9
