// Implements route "user-syscall": copies one thread by one bpf(2) call a side,
// in half the time of a pass.  Names by the program that comes with it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cstring>

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
// memory.  Async-signal-safe.
class claimed_slot {
public:
	claimed_slot() noexcept
	{
		if (object_of_user_one.program() < 0)
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

// The program copies it into the slot.  With another ticket the answer is in
// another memory: somebody had closed the program, and it was loaded again.
std::uint64_t
next_ticket() noexcept
{
	static std::atomic<std::uint64_t> tickets{0};
	return ++tickets;
}

constexpr std::uint32_t page = 4096;	// or a part of one

class slot_sampler final : public user_sampler {
public:
	bool has_slot() const noexcept { return slot_.get() != nullptr; }

	int
	user(pid_t tid, std::uint64_t from) noexcept override
	{
		const int error = call(tid, from, S9_USER_SIDE);
		return error == 0 && has_hole() ? user_to_hole(tid, from) :
		    error;
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
	bool
	has_hole() const noexcept
	{
		return (seen().user.flags & S9_USER_HOLE) != 0;
	}

	// Samples again, up to the first page that is missing.  Each try is a
	// sample of its own, and the last one is the answer.
	int
	user_to_hole(pid_t tid, std::uint64_t from) noexcept
	{
		const auto in_first = static_cast<std::uint32_t>(page -
		    seen().user.from % page);
		std::uint32_t least = 0, most = S9_USER_STACK / page;
		int error = 0;
		const auto try_pages = [&](std::uint32_t n) {
			error = call(tid, from, S9_USER_SIDE, n == 0 ? 0 :
			    in_first + (n - 1) * page);
			return error == 0 && !has_hole();
		};
		while (least < most && error == 0) {
			const std::uint32_t n = (least + most + 1) / 2;
			if (try_pages(n))
				least = n;
			else
				most = n - 1;
		}
		if (error == 0 && has_hole())
			try_pages(least);
		return error;
	}

	int
	call(pid_t tid, std::uint64_t from, s9_what what,
	    std::uint32_t most = S9_USER_STACK) noexcept
	{
		s9_user_one c{tid, slot_.number(), next_ticket(), from, what,
		    most, 0, 0};
		const int error = run(object_of_user_one, &c, sizeof c);
		if (error != 0 || c.found != 0)
			return error != 0 ? error : -c.found;
		return slot_.get()->ticket == c.ticket ? 0 : EAGAIN;
	}

	const verdict	loaded_ = object_of_user_one.load();
	claimed_slot	slot_;	// none, unless it is loaded
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

bool
user_one_names() noexcept
{
	return object_of_user_one.second_program() >= 0;
}

int
name_in_slot(s9_name &call) noexcept
{
	const claimed_slot slot;
	if (slot.get() == nullptr)
		return EBUSY;
	s9_name_in_slot c{call.pc, next_ticket(), slot.number(),
	    call.return_address, 0, 0};
	const int error = try_run_second(object_of_user_one, &c, sizeof c);
	if (error != 0)
		return error;
	if (slot.get()->ticket != c.ticket)
		return EBADF;
	call.len = c.len;
	std::memcpy(call.text, slot.get()->text, sizeof call.text);
	return 0;
}

} // namespace stack9::bpf
