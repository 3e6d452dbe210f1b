// Implements the C entry points of asynchronous captures.  A copy is unwound
// when it is collected.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/async.h"

#include <atomic>
#include <memory>
#include <new>

#include <unistd.h>

#include "capture.h"
#include "record.h"
#include "route.h"
#include "os/linux/uncancelled.h"
#include "user.h"

namespace stack9 {
namespace {

constexpr std::uint32_t most_captures = 1'000'000;
constexpr std::size_t text_size = 16384;

// Ids and the descriptor belong to one route, so the first route that serves a
// process stays.  A child of fork(2) chooses for itself, because it may have
// other rights.
constinit std::atomic<async_route *> chosen{nullptr};
constinit std::atomic<pid_t> chosen_in{0};

// A further route may have the rights, or the kernel, that this one lacks.  A
// want of memory is no reason to ask it.
bool
asks_next(int error) noexcept
{
	return error == EPERM || error == EOPNOTSUPP;
}

// Finds the queue that serves this process.
int
choose(async_queue *&serving) noexcept
{
	// The order matters: chosen is stored before chosen_in.
	const bool done = chosen_in.load(std::memory_order_acquire) == getpid();
	async_route *before = chosen.load(std::memory_order_acquire);
	if (done) {
		serving = &before->queue();
		return 0;
	}
	stack9_record unused;
	return first_answer<job::async>(unused, [&](async_route &r) {
		const verdict v = r.queue().open();
		if (asks_next(v.error))
			return answer::refused(v);
		if (v.error == 0) {
			chosen.compare_exchange_strong(before, &r);
			serving = &chosen.load()->queue();
			chosen_in.store(getpid(), std::memory_order_release);
		}
		return answer::is(v.error);
	});
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
why_no_events() noexcept
{
	stack9_record unused;
	return first_answer<job::async>(unused, [](async_route &r) {
		return answer::refused(r.can());
	});
}

bool
is_usable(const stack9_record *rec) noexcept
{
	return rec == nullptr || (rec->pcs != nullptr && rec->max > 0);
}

// A thread that ran or is on a CPU is captured by the synchronous routes.
void
complete_kernel(const stack9_thread &td, stack9_record &kernel) noexcept
{
	if (kernel.error == EAGAIN)
		save_kernel(td, kernel);
	else
		finish(kernel, kernel.error);
}

// Whether the thread slept and was woken while it was submitted.  The user side
// may then be that of another system call.
bool
has_moved(const stack9_record &kernel) noexcept
{
	return kernel.error == EAGAIN && kernel.why == STACK9_WHY_TORN;
}

int
submit(const stack9_thread &td, stack9_side side, bool now, stack9_id &id)
    noexcept
{
	async_queue *q;
	if (const int error = choose(q); error != 0)
		return error;
	if (side == STACK9_USER)
		return q->submit(td, side, now, nullptr, id);
	std::uintptr_t pcs[async_kernel_frames];
	stack9_record kernel{};
	kernel.pcs = pcs;
	kernel.max = async_kernel_frames;
	// For a route that has names and no addresses, and better than nothing.
	const std::unique_ptr<char[]> text(new (std::nothrow) char[text_size]);
	kernel.text = text.get();
	kernel.text_size = text != nullptr ? text_size : 0;
	for (int tries = 1;; tries++) {
		reset(kernel, td, STACK9_KERNEL);
		stack9_id submitted;
		if (const int error = q->submit(td, side, now, &kernel,
		    submitted); error != 0)
			return error;
		if (!has_moved(kernel) || now || tries == max_tries) {
			complete_kernel(td, kernel);
			q->settle(submitted, kernel);
			id = submitted;
			return 0;
		}
		q->release(submitted);
	}
}

// Says that the walk stopped at the end of the copy, not of the stack.
void
say_cut(const async_sides &s) noexcept
{
	stack9_record &user = *s.user;
	if (user.why != STACK9_WHY_MEMORY || !s.copy.stack.more)
		return;
	user.why = STACK9_WHY_TRUNCATED;
	user.reason = s.scant ? "more of its stack was in use than there was "
	    "room for: see stack9_async_limit()" :
	    "more of its stack was in use than is copied of such a one";
}

int
collect(stack9_id id, stack9_record *kernel, stack9_record *user) noexcept
{
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
		user->error = unwind_copy(nullptr, copy, *user);
		say_cut(s);
	}
	finish(*user, user->error != 0 ? user->error : error);
	return error;
}

} // namespace
} // namespace stack9

extern "C" int
stack9_submit(const struct stack9_thread *td, enum stack9_side side,
    unsigned int flags, stack9_id *id)
{
	if (td == nullptr || td->tid < 1 || id == nullptr ||
	    side < STACK9_KERNEL || side > STACK9_BOTH ||
	    (flags & ~static_cast<unsigned int>(STACK9_NOW)) != 0)
		return EINVAL;
	const stack9::uncancelled guard;
	return stack9::submit(*td, side, (flags & STACK9_NOW) != 0, *id);
}

extern "C" int
stack9_collect(stack9_id id, struct stack9_record *kernel,
    struct stack9_record *user)
{
	if (id == 0 || !stack9::is_usable(kernel) || !stack9::is_usable(user))
		return EINVAL;
	const stack9::uncancelled guard;
	return stack9::collect(id, kernel, user);
}

extern "C" int
stack9_cancel(stack9_id id)
{
	const stack9::uncancelled guard;
	stack9::async_queue *const q = stack9::serving_queue();
	return q == nullptr ? ENOENT : q->cancel(id);
}

extern "C" int
stack9_release(stack9_id id)
{
	const stack9::uncancelled guard;
	stack9::async_queue *const q = stack9::serving_queue();
	return q == nullptr ? ENOENT : q->release(id);
}

extern "C" int
stack9_ready(struct stack9_arrival *ready, size_t max, size_t *count)
{
	if (ready == nullptr || max == 0 || count == nullptr)
		return EINVAL;
	const stack9::uncancelled guard;
	stack9::async_queue *q;
	const int error = stack9::choose(q);
	return error != 0 ? error : q->ready({ready, max}, *count);
}

extern "C" int
stack9_ready_fd(int *fd)
{
	if (fd == nullptr)
		return EINVAL;
	const stack9::uncancelled guard;
	stack9::async_queue *q;
	const int error = stack9::choose(q);
	return error != 0 ? error : q->ready_fd(*fd);
}

extern "C" int
stack9_async_limit(uint32_t captures, size_t bytes)
{
	using namespace stack9;
	if (captures == 0 || captures > most_captures ||
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

extern "C" int
stack9_submit_on(const struct stack9_event *event,
    struct stack9_submitter **watch)
{
	if (event == nullptr || event->name == nullptr || watch == nullptr ||
	    event->pid < 0 || event->tid < 0 ||
	    event->side < STACK9_KERNEL || event->side > STACK9_BOTH)
		return EINVAL;
	using namespace stack9;
	const uncancelled guard;
	async_queue *q;
	int error = choose(q);
	if (error == 0)
		error = q->watch(*event, *watch);
	return error == EOPNOTSUPP ? why_no_events() : error;
}

extern "C" void
stack9_submit_off(struct stack9_submitter *watch)
{
	const stack9::uncancelled guard;
	if (stack9::async_queue *const q = stack9::serving_queue();
	    q != nullptr && watch != nullptr)
		q->unwatch(*watch);
}
