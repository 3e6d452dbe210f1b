// Implements route "user-syscall": copies one thread by one bpf(2) call a side,
// in half the time of a pass.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>

#include <unistd.h>

#include "bpf/capture_lock.h"
#include "bpf/program.h"
#include "bpf/validate.h"
#include "images.h"
#include "objects.h"
#include "routes.h"
#include "user_pass.h"
#include "user_sampler.h"

namespace stack9::bpf {
namespace {

constinit object object_of_user_one(s9_image_user_one,
    "needs bpf_task_from_pid() (Linux 6.2)", false,
    S9_SLOTS * sizeof(s9_slot));

// Claims one of the slots for a scope.  If none is free, the caller goes by
// another route: the threads that have them may be waiting for some process's
// memory.
class claimed_slot {
public:
	claimed_slot() noexcept
	{
		if (object_of_user_one.load().error != 0)
			return;
		auto *all = static_cast<s9_slot *>(object_of_user_one.memory());
		for (; all != nullptr && number_ < S9_SLOTS; number_++)
			if (claim_word(all[number_]).exchange(1) == 0) {
				slot_ = &all[number_];
				return;
			}
	}
	claimed_slot(const claimed_slot &) = delete;
	~claimed_slot()
	{
		if (slot_ != nullptr)
			claim_word(*slot_).store(0);
	}

	s9_slot *get() const noexcept { return slot_; }
	std::uint32_t number() const noexcept { return number_; }

private:
	static std::atomic_ref<__u64>
	claim_word(s9_slot &s) noexcept
	{
		return std::atomic_ref<__u64>(s.claimed);
	}

	s9_slot		*slot_ = nullptr;
	std::uint32_t	 number_ = 0;
};

class slot_sampler final : public user_sampler {
public:
	bool has_slot() const noexcept { return slot_.get() != nullptr; }

	int
	user(pid_t tid, std::uint64_t from) noexcept override
	{
		return call(tid, from, S9_USER_SIDE);
	}

	const s9_user_record &
	seen() const noexcept override
	{
		return slot_.get()->u;
	}

	int
	kernel(pid_t tid, s9_record &to) noexcept override
	{
		const guard locked(capture_mutex());
		const int error = call(tid, 0, S9_KERNEL_SIDE);
		if (error != 0)
			return error;
		copy_sample(slot_.get()->k, to);
		return 0;
	}

private:
	int
	call(pid_t tid, std::uint64_t from, s9_what what) noexcept
	{
		static std::atomic<std::uint64_t> tickets{0};
		s9_user_one c{tid, slot_.number(), ++tickets, from, what, 0};
		const int error = run(object_of_user_one, &c, sizeof c);
		if (error != 0 || c.found != 0)
			return error != 0 ? error : -c.found;
		// Another ticket: somebody had closed the program, it was
		// loaded again meanwhile, and the answer is in another memory.
		return slot_.get()->ticket == c.ticket ? 0 : EAGAIN;
	}

	claimed_slot slot_;
};

// The program is believed once it has found the caller.  While no slot is free,
// others capture by it, for whom it has.
verdict
trial() noexcept
{
	static std::atomic<bool> trusted{false};
	if (trusted.load(std::memory_order_relaxed))
		return {0, nullptr};
	slot_sampler sampler;
	s9_record seen;
	if (!sampler.has_slot())
		return {0, nullptr};
	const int error = sampler.kernel(gettid(), seen);
	if (error != 0 && error != ESRCH)
		return explain(error, "its program cannot be run");
	if (error != 0 || seen.tid != gettid())
		return {EOPNOTSUPP, shows_no_caller};
	trusted.store(true, std::memory_order_relaxed);
	return {0, nullptr};
}

int
no_free_slot(stack_record &rec) noexcept
{
	rec.reason = "all slots for captures of this kind are in use just now";
	return EOPNOTSUPP;
}

} // namespace

// A program that is loaded already is better than one that has yet to be
// loaded.
verdict
user_one_route::can() noexcept
{
	if (!in_init_pid_ns())
		return {EOPNOTSUPP, "not from within a pid namespace"};
	if (user_object().adopted())
		return {EOPNOTSUPP, "the pinned program of route user-iter "
		    "serves"};
	const verdict v = object_of_user_one.load();
	return v.error != 0 ? v : trial();
}

int
user_one_route::copy(const stack9_thread &td, sides &s, lead &l) noexcept
{
	slot_sampler sampler;
	return sampler.has_slot() ? copy_by(sampler, td, s, l) :
	    no_free_slot(s.user);
}

int
user_one_route::extend_copy(const stack9_thread &td, user_copy &copy,
    std::uint64_t wanted) noexcept
{
	slot_sampler sampler;
	return sampler.has_slot() ?
	    extend_copy_by(sampler, td, copy, wanted) : EAGAIN;
}

} // namespace stack9::bpf
