// Captures one thread into a sample, and asks again while there is time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "save.h"

#include <algorithm>
#include <memory>
#include <new>

#include <time.h>

#include "core/arguments.h"
#include "os/clocks.h"
#include "os/uncancelled.h"

#include "sample.h"
#include "since.h"

namespace stack9 {
namespace {

// The buffers of one capture.  They are on the heap, for the calling thread may
// have a small stack.
class capture {
public:
	capture(const stack9_thread &td, int side,
	    const stack9_save_options &o, const origin &first) noexcept
	    : td_(td), side_(side), options_(o), first_(first) {}

	// False: no memory.
	bool prepare() noexcept;
	void run() noexcept;
	int error() const noexcept;
	stack9_sample *sample() noexcept;

private:
	bool has_kernel() const noexcept { return side_ & STACK9_KERNEL; }
	bool has_user() const noexcept { return side_ & STACK9_USER; }
	void once() noexcept;
	bool asks_again() const noexcept;

	const stack9_thread		&td_;
	const int			side_;
	const stack9_save_options	&options_;
	const origin			&first_;
	stack_record			kernel_{}, user_{};
	written_stack			written_;
	unique_space			space_;
	since_table			since_;
	std::uintptr_t			kernel_pcs_[default_frames];
	std::uintptr_t			user_pcs_[default_frames];
	char				text_[16384];
	std::unique_ptr<std::uintptr_t[]> more_;
};

bool
capture::prepare() noexcept
{
	const std::uint32_t max = options_.frames;
	kernel_.pcs = kernel_pcs_;
	user_.pcs = user_pcs_;
	if (max > default_frames) {
		more_.reset(new (std::nothrow) std::uintptr_t[2 *
		    std::size_t{max}]);
		if (more_ == nullptr)
			return false;
		kernel_.pcs = more_.get();
		user_.pcs = more_.get() + max;
	}
	kernel_.max = user_.max = max;
	if ((options_.flags & STACK9_SAVE_LANGUAGES) != 0)
		user_.written = &written_;
	kernel_.text = text_;
	kernel_.text_size = sizeof text_;
	return true;
}

// A thread that moves has no such time; the capture says what else is wrong.
void
capture::once() noexcept
{
	if ((options_.flags & STACK9_SAVE_SINCE) != 0)
		since_.look(td_.pid > 0 ? td_.pid : td_.tid);
	space_.reset();
	user_.space = options_.space;
	const stopping may = stopping_of(options_);
	switch (side_) {
	case STACK9_KERNEL:
		save_record(STACK9_KERNEL, td_, kernel_, first_);
		break;
	case STACK9_USER:
		save_record(STACK9_USER, td_, user_, first_, may, &space_);
		break;
	default:
		save_records(td_, kernel_, user_, first_, may, &space_);
	}
}

// A thread in user mode has no kernel stack.  This is an answer if its user
// stack is there.
bool
capture::asks_again() const noexcept
{
	if (has_user() && user_.error == EAGAIN)
		return true;
	return has_kernel() && kernel_.error == EAGAIN &&
	    !(has_user() && user_.error == 0 &&
	    kernel_.why == STACK9_WHY_USER_MODE);
}

void
capture::run() noexcept
{
	constexpr std::uint64_t ms = 1'000'000, longest = 16 * ms;
	once();
	if (options_.timeout_ms == 0)
		return;
	const std::uint64_t end = boot_ns() + options_.timeout_ms * ms;
	for (std::uint64_t pause = ms / 8; asks_again();
	    pause = std::min(2 * pause, longest)) {
		const std::uint64_t now = boot_ns();
		if (now >= end)
			break;
		const std::uint64_t ns = std::min(pause, end - now);
		const timespec t{0, static_cast<long>(ns)};
		nanosleep(&t, nullptr);
		once();
	}
}

int
capture::error() const noexcept
{
	if ((has_kernel() && kernel_.error == 0) ||
	    (has_user() && user_.error == 0))
		return 0;
	const bool by_user = has_user() && !(has_kernel() &&
	    user_.why == STACK9_WHY_KTHREAD);
	const stack_record &rec = by_user ? user_ : kernel_;
	return failed(rec.error, rec.reason != nullptr ? rec.reason :
	    stack9_why_text(rec.why));
}

stack9_sample *
capture::sample() noexcept
try {
	lent_sample lent;
	lent.show(has_kernel() ? &kernel_ : nullptr,
	    has_user() ? &user_ : nullptr);
	lent.name_thread();
	since_.set(lent.sample());
	return stack9_sample_hold(&lent.sample());
} catch (const std::bad_alloc &) {
	return nullptr;
}

} // namespace
} // namespace stack9

extern "C" int
stack9_save(const struct stack9_thread *td, int side,
    const struct stack9_save_options *options, struct stack9_sample **sample)
{
	using namespace stack9;
	if (sample != nullptr)
		*sample = nullptr;
	stack9_save_options o;
	const char *const wrong = read_save_options(options, o);
	if (const int error = check_arguments({
	    {sample == nullptr, "sample is NULL"},
	    {td == nullptr, has_no_td},
	    {td != nullptr && td->tid < 1, has_no_tid},
	    {!is_side(side), is_no_side},
	    {wrong != nullptr, wrong},
	    {o.states != nullptr, has_states},
	    {o.since_ns != 0, has_since},
	    }); error != 0)
		return error;
	const uncancelled guard;
	const origin first = STACK9_ORIGIN();
	const std::unique_ptr<capture> c(
	    new (std::nothrow) capture(*td, side, o, first));
	if (c == nullptr || !c->prepare())
		return failed(ENOMEM);
	c->run();
	*sample = c->sample();
	return *sample == nullptr ? failed(ENOMEM) : c->error();
}
