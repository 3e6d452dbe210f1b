// Tries the captures of a process until each of them succeeds.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "async_retries.h"

#include <unistd.h>

#include "capture.h"
#include "record.h"
#include "user.h"

namespace stack9 {
namespace {

constexpr std::uint32_t user_frames = 1024;
constexpr long again_ns = 10'000'000;
constexpr unsigned int number_bits = 20;
constexpr std::uint64_t numbers = std::uint64_t{1} << number_bits;
// More generations than a process ever uses of one number.
constexpr std::uint64_t generations = std::uint64_t{1} << 36;

using locked = std::lock_guard<std::mutex>;

} // namespace

constinit std::atomic<retries *> retries::made_{nullptr};

retries *
retries::of_process() noexcept
{
	retries *const r = made_.load(std::memory_order_acquire);
	return r != nullptr && r->owner_ == getpid() ? r : nullptr;
}

verdict
retries::open(std::uint32_t captures) noexcept
{
	if (of_process() != nullptr)
		return {0, nullptr};
	retries *before = made_.load();
	auto *const fresh = new (std::nothrow) retries(getpid(),
	    before == nullptr ? 0 : before->parents_ + generations);
	if (fresh == nullptr)
		return {ENOMEM, "no memory for what is to be captured"};
	const int error = fresh->prepare(captures);
	// Another thread may have been first.
	if (error != 0 || !made_.compare_exchange_strong(before, fresh))
		delete fresh;
	return error == 0 ? verdict{0, nullptr} :
	    verdict{error, "no memory, or no descriptor for a timer"};
}

int
retries::prepare(std::uint32_t captures) noexcept
{
	try {
		entries_ = std::vector<entry>(captures);
		over_.reserve(captures);
		for (std::uint32_t i = captures; i-- > 0;)
			free_.push_back(i);
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
	return timer_.open();
}

std::uint32_t
retries::number_of(const entry &e) const noexcept
{
	return static_cast<std::uint32_t>(&e - entries_.data());
}

retries::entry *
retries::find(stack9_id id) noexcept
{
	const std::uint64_t i = id % numbers;
	entry *const e = i < entries_.size() ? &entries_[i] : nullptr;
	return e != nullptr && e->now != phase::free &&
	    e->gen == id >> number_bits ? e : nullptr;
}

// Makes the descriptor readable at once while there is something to report.  If
// there is nothing, it becomes readable when it is time to try again.
void
retries::set_timer() noexcept
{
	const bool any = std::any_of(over_.begin(), over_.end(),
	    [this](stack9_id id) { return !find(id)->held_back; });
	const long again = waiting_ > 0 ? again_ns : 0;
	timer_.set(any ? 1 : again, again);
}

void
retries::end(entry &e, phase how) noexcept
{
	waiting_--;
	e.now = how;
	over_.push_back(e.gen << number_bits | number_of(e));
}

// EAGAIN; or 0, and the record says how the capture ended.
int
retries::attempt(entry &e) noexcept
{
	stack_record &rec = e.user.rec;
	if (!(e.side & STACK9_USER))
		return 0;
	rec.space = nullptr;
	reset(rec, e.td, STACK9_USER);
	if (e.td.pid == getpid())
		save_user(e.td, rec, STACK9_ORIGIN());
	else
		save_sides(e.td, nullptr, rec, stopping::never);
	return rec.error == EAGAIN ? EAGAIN : 0;
}

void
retries::attempt_all() noexcept
{
	if (waiting_ == 0)
		return;
	for (entry &e : entries_)
		if (e.now == phase::waiting && attempt(e) == 0)
			end(e, phase::done);
}

// 0: the capture is over.  EAGAIN: it is not.  Any other error: there is no
// capture.
verdict
retries::begin(entry &e, stack_record *kernel) noexcept
{
	if (!e.user.allocate(user_frames) ||
	    !e.kernel.allocate(async_kernel_frames))
		return {ENOMEM, nullptr};
	if (kernel != nullptr && save_kernel(e.td, *kernel) == ESRCH)
		return {ESRCH, kernel->reason};
	if (attempt(e) == EAGAIN)
		return {EAGAIN, nullptr};
	// Without a kernel stack there is nothing to keep under an id.
	if (kernel != nullptr && (kernel->error == 0 ||
	    kernel->error == EAGAIN))
		return {0, nullptr};
	const stack_record &asked = (e.side & STACK9_USER) ? e.user.rec :
	    *kernel;
	return {asked.error, asked.reason};
}

verdict
retries::submit(const stack9_thread &td, stack9_side side,
    stack_record *kernel, stack9_id &id) noexcept
{
	const locked alone(mutex_);
	if (free_.empty())
		return {ENOBUFS, nullptr};
	entry &e = entries_[free_.back()];
	e.td = td;
	e.side = side;
	const verdict begun = begin(e, kernel);
	if (begun.error != 0 && begun.error != EAGAIN)
		return begun;
	free_.pop_back();
	e.gen = std::max(e.gen, parents_) + 1;
	e.held_back = kernel != nullptr;
	e.now = phase::waiting;
	waiting_++;
	if (begun.error == 0)
		end(e, phase::done);
	set_timer();
	id = e.gen << number_bits | number_of(e);
	return {0, nullptr};
}

void
retries::settle(stack9_id id, const stack_record &kernel) noexcept
{
	const locked alone(mutex_);
	if (entry *const e = find(id)) {
		e->kernel.keep(kernel);
		e->held_back = false;
		set_timer();
	}
}

int
retries::collect(stack9_id id, async_sides &to) noexcept
{
	const locked alone(mutex_);
	entry *const e = find(id);
	if (e == nullptr)
		return ENOENT;
	if (e->now == phase::waiting && attempt(*e) == 0) {
		end(*e, phase::done);
		set_timer();
	}
	if (e->now == phase::cancelled)
		return ECANCELED;
	if (to.kernel != nullptr)
		copy_side(e->kernel, e->side & STACK9_KERNEL, *to.kernel);
	if (e->now == phase::waiting) {
		if (to.user != nullptr) {
			to.user->thread = e->td;
			to.user->why = STACK9_WHY_AWAY;
		}
		return EAGAIN;
	}
	if (to.user != nullptr)
		copy_side(e->user, e->side & STACK9_USER, *to.user);
	return e->user.rec.error == ESRCH ? ESRCH : 0;
}

int
retries::cancel(stack9_id id) noexcept
{
	const locked alone(mutex_);
	entry *const e = find(id);
	if (e == nullptr)
		return ENOENT;
	if (e->now != phase::waiting)
		return EALREADY;
	end(*e, phase::cancelled);
	set_timer();
	return 0;
}

int
retries::release(stack9_id id) noexcept
{
	const locked alone(mutex_);
	entry *const e = find(id);
	if (e == nullptr)
		return ENOENT;
	if (e->now == phase::waiting)
		waiting_--;
	std::erase(over_, id);
	e->now = phase::free;
	free_.push_back(number_of(*e));
	set_timer();
	return 0;
}

int
retries::ready(std::span<arrival> to, std::size_t &count) noexcept
{
	const locked alone(mutex_);
	timer_.take();
	attempt_all();
	count = 0;
	std::erase_if(over_, [&](stack9_id id) {
		if (count == to.size() || find(id)->held_back)
			return false;
		to[count++] = {id, 0, 0};
		return true;
	});
	set_timer();
	return count != 0 ? 0 : EAGAIN;
}

} // namespace stack9
