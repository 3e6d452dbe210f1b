// Submits, collects, cancels and releases asynchronous captures by the queue
// that serves this process.  A copy is unwound when it is collected.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "async.h"

#include <atomic>
#include <cerrno>
#include <ctime>
#include <memory>
#include <new>

#include <unistd.h>

#include "capture.h"
#include "record.h"
#include "route.h"
#include "os/uncancelled.h"
#include "user.h"

namespace stack9 {
namespace {

constexpr std::size_t text_size = 16384;

// Ids and the descriptor belong to one route, so the first route that serves a
// process stays.  A child of fork(2) chooses for itself, because it may have
// other rights.
constinit std::atomic<async_route *> chosen{nullptr};
constinit std::atomic<pid_t> chosen_in{0};

// A further route may have the rights, or the kernel, that this one lacks.  A
// lack of memory is not a reason to ask it.
bool
asks_next(int error) noexcept
{
	return error == EPERM || error == EOPNOTSUPP;
}

// Finds the queue that serves this process.
int
choose(async_queue *&serving, const char *&why) noexcept
{
	// The order matters: chosen is stored before chosen_in.
	const bool done = chosen_in.load(std::memory_order_acquire) == getpid();
	async_route *before = chosen.load(std::memory_order_acquire);
	if (done) {
		serving = &before->queue();
		return 0;
	}
	stack_record refused{};
	const int error = first_answer<job::async>(refused,
	    [&](async_route &r) {
		const verdict v = r.queue().open();
		refused.reason = v.reason;
		if (asks_next(v.error))
			return answer::refused(v);
		if (v.error == 0) {
			chosen.compare_exchange_strong(before, &r);
			serving = &chosen.load()->queue();
			chosen_in.store(getpid(), std::memory_order_release);
		}
		return answer::is(v.error);
	});
	why = error != 0 ? refused.reason : nullptr;
	return error;
}

async_queue *
serving_queue() noexcept
{
	async_route *const r = chosen.load(std::memory_order_acquire);
	return r != nullptr ? &r->queue() : nullptr;
}

// Says what keeps the other routes from serving, because the one that serves
// takes no events.
int
why_no_events(const char *&why) noexcept
{
	stack_record refused{};
	const int error = first_answer<job::async>(refused, [](async_route &r) {
		return answer::refused(r.can());
	});
	why = refused.reason;
	return error;
}

// A thread that ran or is on a CPU is captured by the synchronous routes.
void
complete_kernel(const stack9_thread &td, stack_record &kernel) noexcept
{
	if (kernel.error == EAGAIN)
		save_kernel(td, kernel);
	else
		finish(kernel, kernel.error);
}

// Returns true if the thread slept and was woken while it was submitted.  The
// user side may then be that of another system call.
bool
has_moved(const stack_record &kernel) noexcept
{
	return kernel.error == EAGAIN && kernel.why == STACK9_WHY_TORN;
}

// A thread that is writing its capture when it is released frees the slot by
// itself, soon.  25 ms at most, all tries together.
void
await_released(int tries) noexcept
{
	const timespec pause{0, 100'000L << tries};
	nanosleep(&pause, nullptr);
}

// Says that the walk stopped at the end of the copy, not of the stack.
void
say_cut(const async_sides &s) noexcept
{
	stack_record &user = *s.user;
	if (user.why != STACK9_WHY_MEMORY || !s.copy.stack.more)
		return;
	user.why = STACK9_WHY_TRUNCATED;
	user.reason = s.scant ? "more of its stack was in use than there was "
	    "room for: see stack9_async_limit()" :
	    "more of its stack was in use than is copied of such a one";
}

// The queue serves, so it is for the thread, or for want of a slot, that it
// refuses without a sentence.
int
refused(const verdict &v, const char *&why) noexcept
{
	why = v.reason != nullptr ? v.reason :
	    v.error == ENOBUFS ? "all slots are in use: see "
	    "stack9_async_limit()" : v.error == EOPNOTSUPP ?
	    stack9_why_text(STACK9_WHY_KTHREAD) : nullptr;
	return v.error;
}

} // namespace

int
async_begin(const char *&why) noexcept
{
	const uncancelled guard;
	async_queue *q;
	return choose(q, why);
}

int
async_submit(const stack9_thread &td, stack9_side side, bool now, stack9_id &id,
    const char *&why) noexcept
{
	const uncancelled guard;
	async_queue *q;
	if (const int error = choose(q, why); error != 0)
		return error;
	if (side == STACK9_USER)
		return refused(q->submit(td, side, now, nullptr, id), why);
	std::uintptr_t pcs[async_kernel_frames];
	stack_record kernel{};
	kernel.pcs = pcs;
	kernel.max = async_kernel_frames;
	// For a route that has names and no addresses, and better than nothing.
	const std::unique_ptr<char[]> text(new (std::nothrow) char[text_size]);
	kernel.text = text.get();
	kernel.text_size = text != nullptr ? text_size : 0;
	for (int tries = 1;; tries++) {
		reset(kernel, td, STACK9_KERNEL);
		stack9_id submitted;
		if (const verdict v = q->submit(td, side, now, &kernel,
		    submitted); v.error != 0) {
			if (v.error != ENOBUFS || tries == 1 ||
			    tries == max_tries)
				return refused(v, why);
			await_released(tries);
			continue;
		}
		if (!has_moved(kernel) || now || tries == max_tries) {
			complete_kernel(td, kernel);
			q->settle(submitted, kernel);
			id = submitted;
			return 0;
		}
		q->release(submitted);
	}
}

int
async_collect(stack9_id id, stack_record *kernel, stack_record *user,
    unique_space *opened) noexcept
{
	const uncancelled guard;
	async_queue *const q = serving_queue();
	if (q == nullptr)
		return ENOENT;
	const stack9_thread unknown{};
	if (kernel != nullptr)
		reset(*kernel, unknown, STACK9_KERNEL);
	if (user != nullptr)
		reset(*user, unknown, STACK9_USER);
	user_copy copy;
	async_sides s{kernel, user, copy};
	const int error = q->collect(id, s);
	if (kernel != nullptr && error != 0 && error != EAGAIN &&
	    error != ESRCH)
		finish(*kernel, error);
	if (user == nullptr)
		return error;
	if (s.copied) {
		user->error = unwind_copy(nullptr, copy, *user, opened);
		if (opened != nullptr && *opened != nullptr)
			user->space = opened->get();
		say_cut(s);
		if (s.publishes && user->error == 0)
			q->publish(id, *user);
	} else if (s.walked) {
		find_space_of_walk(*user, opened);
	}
	finish(*user, user->error != 0 ? user->error : error);
	return error;
}

int
async_cancel(stack9_id id) noexcept
{
	const uncancelled guard;
	async_queue *const q = serving_queue();
	return q == nullptr ? ENOENT : q->cancel(id);
}

int
async_release(stack9_id id) noexcept
{
	const uncancelled guard;
	async_queue *const q = serving_queue();
	return q == nullptr ? ENOENT : q->release(id);
}

int
async_ready(arrival *ready, std::size_t max, std::size_t &count) noexcept
{
	const uncancelled guard;
	async_queue *q;
	const char *why;
	const int error = choose(q, why);
	return error != 0 ? error : q->ready({ready, max}, count);
}

int
async_ready_fd(int &fd) noexcept
{
	const uncancelled guard;
	async_queue *q;
	const char *why;
	const int error = choose(q, why);
	return error != 0 ? error : q->ready_fd(fd);
}

int
async_limit(std::uint32_t captures, std::size_t bytes) noexcept
{
	if (captures == 0 || captures > async_most_captures ||
	    bytes > std::uint64_t{captures} << 20)
		return EINVAL;
	const uncancelled guard;
	job_routes<job::async> routes;
	while (async_route *r = routes.next())
		if (const int error = r->queue().limit(captures, bytes);
		    error != 0)
			return error;
	return 0;
}

int
async_submit_on(const async_event &event, submitter *&watch,
    const char *&why) noexcept
{
	const uncancelled guard;
	async_queue *q;
	int error = choose(q, why);
	if (error == 0)
		error = q->watch(event, watch, why);
	return error == EOPNOTSUPP ? why_no_events(why) : error;
}

void
async_submit_off(submitter *watch) noexcept
{
	const uncancelled guard;
	if (async_queue *const q = serving_queue();
	    q != nullptr && watch != nullptr)
		q->unwatch(*watch);
}

} // namespace stack9
