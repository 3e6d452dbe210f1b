// Submits, collects, cancels and releases captures.  async_record.h lists the
// phases of a slot.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "queue.h"

#include <cerrno>
#include <mutex>

#include "os/linux/clocks.h"
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/missing_thread.h"
#include "events.h"
#include "state.h"
#include "deliver.h"
#include "bpf/validate.h"
#include "bpf/program.h"

namespace stack9::bpf {
namespace {

using locked = std::lock_guard<std::mutex>;

class task_work_queue final : public async_queue {
public:
	verdict open() noexcept override;
	int submit(const stack9_thread &, stack9_side, bool now,
	    stack9_record *kernel, stack9_id &) noexcept override;
	void settle(stack9_id, const stack9_record &kernel) noexcept override;
	int collect(stack9_id, async_sides &) noexcept override;
	int cancel(stack9_id) noexcept override;
	int release(stack9_id) noexcept override;
	int ready(std::span<stack9_arrival>, std::size_t &count)
	    noexcept override;
	int ready_fd(int &) noexcept override;
	int limit(std::uint32_t captures, std::size_t bytes)
	    noexcept override;
	int watch(const stack9_event &, stack9_submitter *&) noexcept override;
	void unwatch(stack9_submitter &) noexcept override;
};

// The caller's errno for one of the program, or of the kernel for it.
int
meaning(int error, const stack9_thread &td) noexcept
{
	stack9_record unused{};
	switch (error) {
	case ESRCH:
		return explain_missing_thread(td, unused);
	case E2BIG:
		return ENOMEM;
	default:
		return error;
	}
}

int
run_submit(async_state &st, s9_submit &c, bool kernel) noexcept
{
	const int program = st.table.submit_program();
	std::unique_lock<std::mutex> alone(capture_mutex(), std::defer_lock);
	if (kernel)
		alone.lock();
	int error = run_program(program, &c, sizeof c);
	if (error == 0)
		error = c.error;
	// The program's descriptor is closed, or another's by now.  Or the map
	// of the works is; the program then receives that errno.
	if (error == EBADF || error == EINVAL || error == EBUSY) {
		abandon_state(st);
		return EAGAIN;
	}
	return error;
}

// Whether td's tid is another thread's now.  A thread must not be woken in
// place of another.
bool
is_another(const stack9_thread &td) noexcept
{
	stack9_thread shown{};
	return td.start != 0 && stack9_thread_find(td.tid, &shown) == 0 &&
	    shown.start != td.start;
}

// Frees a slot that nobody else will touch.
void
free_slot(async_state &st, slot_id id) noexcept
{
	st.ready.remove(id);
	st.table.free_slot(id);
}

bool
release_in(async_state &st, slot_id id) noexcept
{
	const async_table &t = st.table;
	switch (const s9_phase now = t.phase(id)) {
	case S9_WAITING:
		if (!t.change_phase(id, now, S9_HELD))
			return false;
		t.cancel_work(id.slot);
		free_slot(st, id);
		return true;
	case S9_DONE:
	case S9_CANCELLED:
		if (!t.change_phase(id, now, S9_HELD))
			return false;
		free_slot(st, id);
		return true;
	case S9_WRITING:	// its thread will free it
	case S9_FORSAKEN:
		if (!t.change_phase(id, now, S9_DROPPED))
			return false;
		st.ready.remove(id);
		return true;
	default:		// nobody holds it
		return true;
	}
}

bool
is_held(s9_phase p) noexcept
{
	return p != S9_FREE && p != S9_HELD && p != S9_DROPPED;
}

// Validates the sample that was taken when the capture was submitted.
int
validate_submitted(async_state &st, slot_id id, const stack9_thread &td,
    stack9_side side, stack9_record *kernel) noexcept
{
	s9_async_slot &s = *st.table.slot(id.slot);
	stack9_record who{};
	if (const int error = validate_identity(s.h.k, td, who); error != 0)
		return error;
	if (side == STACK9_USER)
		return st.table.phase(id) == S9_DONE ? s.h.error : 0;
	kernel->route = "task-work";
	lead unused;
	kernel->error = validate_sleeper(s.h.k, td, *kernel, unused);
	// It is not known to be whole, and has to be sampled again.
	if (kernel->error == 0 && kernel->why == STACK9_WHY_UNWIND) {
		kernel->error = EAGAIN;
		kernel->why = STACK9_WHY_REFUSED;
	}
	return 0;
}

constexpr std::uint64_t long_ago = 1'000'000'000;	// ns

// Ends a capture whose thread has gone.  A kernel that queues the work late
// (PREEMPT_RT) may do so after the exiting thread has run its last works.
void
reap_if_ended(async_state &st, stack9_id whole) noexcept
{
	const slot_id id(whole);
	if (st.table.phase(id) != S9_WAITING)
		return;
	s9_async_slot &s = *st.table.slot(id.slot);
	if (boot_ns() - s.h.k.when_ns < long_ago)
		return;
	const stack9_thread td = thread_in(s);
	if (syscall(SYS_tgkill, td.pid, td.tid, 0) == 0 || errno != ESRCH ||
	    !st.table.change_phase(id, S9_WAITING, S9_WRITING))
		return;
	s.h.error = ESRCH;
	st.table.change_phase(id, S9_WRITING, S9_DONE);
	st.ready.add(whole);
}

// Captures of events have no caller who would ask for them by id.
void
reap_ended(async_state &st) noexcept
{
	const std::uint64_t now = boot_ns();
	if (now - st.reaped_ns < long_ago)
		return;
	st.reaped_ns = now;
	for (std::uint32_t i = 1; i <= st.table.captures(); i++)
		if (const stack9_id id = st.table.id_in(i); id != 0)
			reap_if_ended(st, id);
}

void
deliver_kernel(const async_state &st, const s9_async_slot &s, slot_id id,
    const stack9_thread &td, stack9_record &rec) noexcept
{
	const bool asked_for = (s.h.sides & STACK9_KERNEL) != 0;
	if (s.h.by_event && asked_for)
		deliver_event_kernel(s, td, rec);
	else
		copy_side(st.kernels[id.slot], asked_for, rec);
}

int
away(const stack9_thread &td, stack9_record *user) noexcept
{
	if (user != nullptr) {
		user->thread = td;
		user->route = "task-work";
		user->why = STACK9_WHY_AWAY;
	}
	return EAGAIN;
}

int
deliver_user(const async_state &st, const s9_async_slot &s,
    const stack9_thread &td, async_sides &to) noexcept
{
	to.user->thread = td;
	if (!(s.h.sides & STACK9_USER)) {
		to.user->reason = "this side was not asked for";
		return EINVAL;
	}
	return deliver_user_side(st.table, s, td, to);
}

verdict
task_work_queue::open() noexcept
{
	verdict v{0, nullptr};
	opened_state(v);
	return v;
}

int
task_work_queue::submit(const stack9_thread &td, stack9_side side, bool now,
    stack9_record *kernel, stack9_id &id) noexcept
{
	verdict v{0, nullptr};
	async_state *const st = opened_state(v);
	if (st == nullptr)
		return v.error;
	if (now && is_another(td))
		return ESRCH;
	s9_submit c{td.tid, static_cast<__u32>(side), now, 0, 0};
	const locked alone(st->mutex);
	if (const int error = run_submit(*st, c, kernel != nullptr); error != 0)
		return meaning(error, td);
	const slot_id made(c.id);
	if (kernel != nullptr)
		st->ready.hold_back(made);
	int error = validate_submitted(*st, made, td, side, kernel);
	if (error == 0 && kernel != nullptr &&
	    !st->kernels[made.slot].allocate(async_kernel_frames))
		error = ENOMEM;
	if (error != 0) {
		while (!release_in(*st, made))
			;
		return error;
	}
	id = c.id;
	return 0;
}

void
task_work_queue::settle(stack9_id whole, const stack9_record &kernel) noexcept
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
	reap_if_ended(*st, whole);
	const s9_phase now = st->table.phase(id);
	if (!is_held(now))
		return ENOENT;
	if (now == S9_CANCELLED || now == S9_FORSAKEN)
		return ECANCELED;
	const s9_async_slot &s = *st->table.slot(id.slot);
	const stack9_thread td = thread_in(s);
	if (to.kernel != nullptr)
		deliver_kernel(*st, s, id, td, *to.kernel);
	if (now != S9_DONE)
		return away(td, to.user);
	if (to.user != nullptr)
		to.user->error = deliver_user(*st, s, td, to);
	return s.h.error == ESRCH && (s.h.sides & STACK9_USER) ? ESRCH : 0;
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
	while (!release_in(*st, id));
	return 0;
}

int
task_work_queue::ready(std::span<stack9_arrival> to, std::size_t &count)
    noexcept
{
	verdict v{0, nullptr};
	async_state *const st = opened_state(v);
	if (st == nullptr)
		return v.error;
	const locked alone(st->mutex);
	st->ready.read_ring();
	reap_ended(*st);
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
task_work_queue::watch(const stack9_event &event, stack9_submitter *&watch)
    noexcept
{
	verdict v{0, nullptr};
	async_state *const st = opened_state(v);
	return st == nullptr ? v.error : open_watch(*st, event, watch);
}

void
task_work_queue::unwatch(stack9_submitter &watch) noexcept
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
