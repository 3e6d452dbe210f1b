// Submits, collects, cancels and releases captures.  async_record.h lists the
// phases of a slot.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "queue.h"

#include <cerrno>
#include <mutex>

#include "deliver.h"
#include "events.h"
#include "release.h"
#include "submission.h"

namespace stack9::bpf {
namespace {

using locked = std::lock_guard<std::mutex>;

class task_work_queue final : public async_queue {
public:
	verdict open() noexcept override;
	verdict submit(const stack9_thread &, stack9_side, bool now,
	    stack_record *kernel, stack9_id &) noexcept override;
	void settle(stack9_id, const stack_record &kernel) noexcept override;
	int collect(stack9_id, async_sides &) noexcept override;
	void publish(stack9_id, const stack_record &) noexcept override;
	int cancel(stack9_id) noexcept override;
	int release(stack9_id) noexcept override;
	int ready(std::span<arrival>, std::size_t &count)
	    noexcept override;
	int ready_fd(int &) noexcept override;
	int limit(std::uint32_t captures, std::size_t bytes)
	    noexcept override;
	int watch(const async_event &, submitter *&, const char *&why)
	    noexcept override;
	void unwatch(submitter &) noexcept override;
};

verdict
task_work_queue::open() noexcept
{
	verdict v{0, nullptr};
	opened_state(v);
	return v;
}

verdict
task_work_queue::submit(const stack9_thread &td, stack9_side side, bool now,
    stack_record *kernel, stack9_id &id) noexcept
{
	verdict v{0, nullptr};
	async_state *const st = opened_state(v);
	if (st == nullptr)
		return v;
	if (now && is_another(td))
		return {ESRCH, nullptr};
	s9_submit c{td.tid, static_cast<__u32>(side), now, 0, 0};
	const locked alone(st->mutex);
	if (const int error = run_submit(*st, c, kernel != nullptr); error != 0)
		return {submit_error(error, td), nullptr};
	const slot_id made(c.id);
	if (kernel != nullptr)
		st->ready.hold_back(made);
	int error = validate_submitted(*st, made, td, side, kernel);
	if (error == 0 && kernel != nullptr &&
	    !st->kernels[made.slot].allocate(async_kernel_frames))
		error = ENOMEM;
	if (error != 0) {
		while (!try_release(*st, made))
			;
		return {error, nullptr};
	}
	id = c.id;
	return v;
}

void
task_work_queue::settle(stack9_id whole, const stack_record &kernel) noexcept
{
	async_state *const st = current_state();
	const slot_id id(whole);
	if (st == nullptr)
		return;
	const locked alone(st->mutex);
	if (!is_held(st->table.phase(id)))
		return;		// lost meanwhile, with all other captures
	st->kernels[id.slot].keep(kernel);
	st->ready.let_go(whole);
}

int
task_work_queue::collect(stack9_id whole, async_sides &to) noexcept
{
	async_state *const st = current_state();
	const slot_id id(whole);
	if (st == nullptr)
		return ENOENT;
	const locked alone(st->mutex);
	end_if_gone(*st, whole);
	const s9_phase now = st->table.phase(id);
	if (!is_held(now))
		return ENOENT;
	if (now == S9_CANCELLED || now == S9_FORSAKEN)
		return ECANCELED;
	const s9_async_slot &s = *st->table.slot(id.slot);
	const stack9_thread td = thread_in(s);
	if (to.kernel != nullptr)
		deliver_kernel(s, td, st->kernels[id.slot], *to.kernel);
	if (now != S9_DONE)
		return deliver_nothing_yet(td, to.user);
	if (to.user != nullptr)
		to.user->error = deliver_user(st->table, s, td, to);
	return s.h.error == ESRCH && (s.h.sides & STACK9_USER) ? ESRCH : 0;
}

// The slot may be released meanwhile, so its head is copied.
void
task_work_queue::publish(stack9_id whole, const stack_record &user) noexcept
{
	async_state *const st = current_state();
	const slot_id id(whole);
	if (st == nullptr)
		return;
	s9_async_head head;
	{
		const locked alone(st->mutex);
		if (st->table.phase(id) != S9_DONE)
			return;
		head = st->table.slot(id.slot)->h;
	}
	st->walks.publish(head, user);
}

int
task_work_queue::cancel(stack9_id whole) noexcept
{
	async_state *const st = current_state();
	const slot_id id(whole);
	if (st == nullptr)
		return ENOENT;
	const locked alone(st->mutex);
	for (;;) {
		const s9_phase now = st->table.phase(id);
		if (!is_held(now))
			return ENOENT;
		if (now != S9_WAITING && now != S9_WRITING)
			return EALREADY;
		if (!st->table.change_phase(id, now, now == S9_WAITING ?
		    S9_CANCELLED : S9_FORSAKEN))
			continue;
		if (now == S9_WAITING)
			st->table.cancel_work(id.slot);
		st->ready.add(whole);
		return 0;
	}
}

int
task_work_queue::release(stack9_id whole) noexcept
{
	async_state *const st = current_state();
	const slot_id id(whole);
	if (st == nullptr)
		return ENOENT;
	const locked alone(st->mutex);
	do
		if (!is_held(st->table.phase(id)))
			return ENOENT;
	while (!try_release(*st, id));
	return 0;
}

int
task_work_queue::ready(std::span<arrival> to, std::size_t &count)
    noexcept
{
	verdict v{0, nullptr};
	async_state *const st = opened_state(v);
	if (st == nullptr)
		return v.error;
	const locked alone(st->mutex);
	st->ready.read_ring();
	end_all_gone(*st);
	count = 0;
	while (count < to.size()) {
		const stack9_id id = st->ready.pop();
		if (id == 0)
			break;
		const s9_async_slot &s = *st->table.slot(slot_id(id).slot);
		to[count++] = {id, s.h.cookie, 0};
	}
	if (const std::uint64_t dropped = st->ready.consume_dropped();
	    dropped != 0) {
		if (count == 0)
			to[count++] = {0, 0, 0};
		to[0].dropped = dropped;
	}
	st->ready.signal();
	return count != 0 ? 0 : EAGAIN;
}

int
task_work_queue::ready_fd(int &fd) noexcept
{
	verdict v{0, nullptr};
	async_state *const st = opened_state(v);
	if (st == nullptr)
		return v.error;
	fd = st->ready.fd();
	return 0;
}

int
task_work_queue::limit(std::uint32_t captures, std::size_t bytes) noexcept
{
	return set_limits({captures, bytes});
}

int
task_work_queue::watch(const async_event &event, submitter *&watch,
    const char *&why) noexcept
{
	verdict v{0, nullptr};
	async_state *const st = opened_state(v);
	return st == nullptr ? v.error : open_watch(*st, event, watch,
	    why);
}

void
task_work_queue::unwatch(submitter &watch) noexcept
{
	close_watch(watch);
}

constinit task_work_queue the_queue;

} // namespace

verdict
task_work_route::can() noexcept
{
	return probe();
}

async_queue &
task_work_route::queue() noexcept
{
	return the_queue;
}

} // namespace stack9::bpf
