// Implements route "user-iter" for many: it copies every thread of a process or
// of the machine in one pass, and their kernel stacks in another.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <memory>
#include <new>

#include <unistd.h>

#include "kernel_sides.h"
#include "routes.h"
#include "shown_threads.h"
#include "user_iter.h"
#include "bpf/validate.h"
#include "bpf/validate_user.h"

namespace stack9::bpf {
namespace {

// One user side, as a record holds it.
struct one_side {
	s9_record	who;
	s9_user		user;
	const char	*stack;
	std::size_t	size;		// of the record
};

class pass_over_both {
public:
	pass_over_both(shown_threads &shown, bool kernel, sides_sink to,
	    void *arg) noexcept
	    : shown_(shown), kernel_(kernel), to_(to), arg_(arg) {}

	// of_all: the kernel visits all threads.
	int
	begin(pid_t pid, bool of_all) noexcept
	{
		user_scope scope;
		int error = scope.open(0, of_all ? 0 : pid);
		restricted_ = !scope.is_of_all();
		of_process_ = pid != 0;
		if (error == 0)
			error = users_.begin(scope, {S9_ASKED, 0, pid, 0,
			    S9_USER_SIDE, 0});
		if (error == 0 && kernel_)
			error = kernels_.begin(scope, pid);
		return error;
	}

	// 0 at the end; the sink's result, if it stopped the pass; or an errno.
	// ENOBUFS: the program had no buffer, and no thread was delivered.
	int
	go() noexcept
	{
		for (;;) {
			one_side side;
			while (next(side)) {
				if (lacks_buffer(side.who))
					return found_any_ ? ENOMEM : ENOBUFS;
				found_any_ = true;
				found_caller_ |= side.who.tid == caller_;
				const int stop = deliver_new(side);
				users_.drop(side.size);
				if (stop != 0)
					return stop;
			}
			if (const int error = users_.more(); error != 0)
				return error == ENODATA ? 0 : error;
		}
	}

	// True if the kernel visited those of a process only.
	bool is_restricted() const noexcept { return restricted_; }
	bool found_any() const noexcept { return found_any_; }
	bool found_caller() const noexcept { return found_caller_; }

private:
	bool next(one_side &) noexcept;
	int deliver_new(const one_side &) noexcept;
	int deliver(const one_side &) noexcept;
	int validate(const one_side &, sides &) noexcept;
	int join(const s9_record &who, int user_error, sides &) noexcept;

	shown_threads		&shown_;
	const bool		kernel_;
	const sides_sink	to_;
	void *const		arg_;
	const pid_t		caller_ = gettid();
	bool			restricted_ = false;
	bool			of_process_ = false;
	bool			found_any_ = false;
	bool			found_caller_ = false;
	user_copy		copy_;
	kernel_sides		kernels_;
	std::uintptr_t		pcs_[S9_FRAMES];
	records<10 * 1024, sizeof(s9_user_record)>	users_;
};

bool
pass_over_both::next(one_side &side) noexcept
{
	const char *const at = users_.front();
	side.who.tid = 0;
	if (users_.size() >= S9_RECORD_HEAD)
		std::memcpy(&side.who, at, S9_RECORD_HEAD);
	if (lacks_buffer(side.who))
		return true;
	if (users_.size() < S9_USER_HEAD)
		return false;
	std::memcpy(&side.user, at + S9_RECORD_HEAD, sizeof side.user);
	side.stack = at + S9_USER_HEAD;
	side.size = S9_USER_HEAD + side.user.bytes;
	return side.user.bytes <= S9_USER_STACK && users_.size() >= side.size;
}

stack_record
blank(stack9_side side) noexcept
{
	stack_record rec{};
	rec.side = side;
	rec.route = "user-iter";
	rec.cpu = -1;
	rec.state = '?';
	return rec;
}

// Returns true if a kernel side shows too little: its end is not known, this
// reader was preempted while it took the stack, or the kernel's helper refused
// a thread that is well.
bool
needs_another_sample(const stack_record &kernel) noexcept
{
	return kernel.why == STACK9_WHY_UNWIND ? kernel.error == 0 :
	    kernel.error == EAGAIN && (kernel.why == STACK9_WHY_TORN ||
	    kernel.why == STACK9_WHY_REFUSED);
}

// A pass waits for no thread and takes no second sample.  The caller may.
int
again(stack_record &rec) noexcept
{
	rec.why = STACK9_WHY_TORN;
	rec.reason = nullptr;
	return EAGAIN;
}

// Returns the user side's error, by which the caller goes on.  It is EAGAIN if
// the kernel side has to be sampled again, and there is no copy then.
int
pass_over_both::join(const s9_record &who, int user_error, sides &s) noexcept
{
	const stack9_thread named{who.tid, who.pid, 0};
	const s9_record *const seen = kernels_.find(who);
	int error = seen == nullptr ? again(s.user) :
	    join_kernel(*seen, who, user_error, named, s);
	if (error != EAGAIN && needs_another_sample(*s.kernel))
		error = again(s.user);
	if (error == EAGAIN)
		s.copy.clear();
	return error;
}

int
pass_over_both::validate(const one_side &side, sides &s) noexcept
{
	const stack9_thread named{side.who.tid, side.who.pid, 0};
	lead unused;
	int error = validate_user({side.who, side.user, side.stack}, named,
	    s.user, s.copy, unused);
	if (error == EAGAIN && s.user.why == STACK9_WHY_LATE)
		error = again(s.user);
	if (s.kernel == nullptr)
		return error;
	if (error == 0 || s.user.why == STACK9_WHY_MEMORY ||
	    s.user.why == STACK9_WHY_KTHREAD)
		error = join(side.who, error, s);
	if (error == EAGAIN || error == ESRCH)
		if (s.user.why != STACK9_WHY_MEMORY)
			copy_outcome(s.user, error, *s.kernel);
	return error;
}

int
pass_over_both::deliver(const one_side &side) noexcept
{
	stack_record user = blank(STACK9_USER), kernel = blank(STACK9_KERNEL);
	kernel.pcs = pcs_;
	kernel.max = S9_FRAMES;
	copy_.clear();
	sides s{kernel_ ? &kernel : nullptr, user, copy_};
	user.error = validate(side, s);
	if (kernel.error != 0)
		kernel.depth = 0;
	return to_(arg_, s);
}

// Delivers a side, unless the pass before did.
int
pass_over_both::deliver_new(const one_side &side) noexcept
{
	return !of_process_ || shown_.add(side.who.tid,
	    side.who.is_newest != 0) ? deliver(side) : 0;
}

// Passes over a process, or over all: 0, and whether the kernel was restricted
// to the process; or an errno, or the sink's result.
int
pass_over(pid_t pid, bool of_all, shown_threads &shown, bool kernel,
    sides_sink to, void *arg, bool &restricted) noexcept
{
	for (int i = 0; i < most_passes_for_a_buffer; i++) {
		const std::unique_ptr<pass_over_both> pass(new (std::nothrow)
		    pass_over_both(shown, kernel, to, arg));
		if (pass == nullptr)
			return ENOMEM;
		int error = pass->begin(pid, of_all);
		if (error == 0)
			error = pass->go();
		if (error == ENOBUFS)
			continue;
		if (error != 0)
			return error;
		restricted = pass->is_restricted();
		return pid == 0 ? explain_machine_pass(pass->found_caller()) :
		    explain_process_pass(pid, pass->found_any());
	}
	return ENOMEM;
}

} // namespace

verdict
user_each_route::can() noexcept
{
	return trust_user_passes();
}

int
user_each_route::each_copy(pid_t pid, bool kernel, sides_sink to, void *arg)
    noexcept
{
	shown_threads shown;
	bool restricted = false;
	const int error = pass_over(pid, false, shown, kernel, to, arg,
	    restricted);
	if (error != 0 || !restricted || !shown.may_lack_some())
		return error;
	return shown.begin_next() ? pass_over(pid, true, shown, kernel, to,
	    arg, restricted) : ENOMEM;
}

int
user_each_route::extend_copy(const stack9_thread &td, user_copy &copy,
    std::uint64_t wanted) noexcept
{
	iter_sampler sampler;
	return extend_copy_by(sampler, td, copy, wanted);
}

} // namespace stack9::bpf
