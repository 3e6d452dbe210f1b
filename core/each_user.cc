// Captures the user stacks of many threads in one pass, with or without their
// kernel stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <memory>
#include <new>

#include <unistd.h>

#include "capture.h"
#include "each.h"
#include "kernel_stacks.h"
#include "pass_moments.h"
#include "record.h"
#include "spaces_of_pass.h"
#include "core/seam/space.h"
#include "user.h"
#include "user_line.h"

namespace stack9 {
namespace {

// Returns true if the frames of a language are read after the walk.  The line
// cannot do that.
bool
may_have_written(const stack_record &rec) noexcept
{
	return rec.written != nullptr && rec.error == 0 &&
	    (rec.space == nullptr || !is_silent(*rec.space));
}

class user_pass {
public:
	user_pass(pid_t pid, bool kernel, const origin &first,
	    const pass_choice &which, record_fn *fn, void *arg) noexcept
	    : pid_(pid), kernel_(kernel), first_(first), which_(which),
	      fn_(fn), arg_(arg) {}

	// Throws std::bad_alloc.
	void know(stack9_space &space) { spaces_.know(pid_, space); }
	int by(user_pass_route &) noexcept;
	int capture_again() noexcept;
	delivered_threads &reported() noexcept { return reported_; }
	const int &stop() const noexcept { return stop_; }

private:
	static int take(void *arg, sides &s) noexcept
	{
		return static_cast<user_pass *>(arg)->deliver(s);
	}
	int deliver(sides &) noexcept;
	int unwind(sides &) noexcept;
	int queue(sides &) noexcept;
	int end_written(waiting_thread &, written_search) noexcept;
	int end_first() noexcept;
	int end_all() noexcept;
	bool again(const sides &) noexcept;
	int report(const sides &) noexcept;
	int report(const stack_record *kernel, const stack_record &user)
	    noexcept;
	int save(const stack9_thread &) noexcept;
	written_stack *
	wanted_written() noexcept
	{
		return which_.languages ? &written_ : nullptr;
	}

	const pid_t		 pid_;
	const bool		 kernel_;
	const origin		&first_;
	const pass_choice	&which_;
	record_fn	*const fn_;
	void			*const arg_;
	const pid_t		 self_ = getpid();
	user_pass_route		*by_ = nullptr;
	kernel_stacks		 before_;	// if by_ takes none
	spaces_of_pass		 spaces_;
	pass_moments		 moments_;
	user_line		 line_;
	second_tries		 again_;
	delivered_threads	 reported_;
	written_stack		 written_;
	second_buffer		 user_buffer_;
	second_buffer		 kernel_buffer_;
	int			 stop_ = 0;
};

int
user_pass::report(const stack_record *kernel, const stack_record &user) noexcept
{
	if (!is_of(pid_, user) || (kernel != nullptr && !is_of(pid_, *kernel)))
		return 0;
	return stop_ = fn_(arg_, kernel, &user);
}

int
user_pass::report(const sides &s) noexcept
{
	if (!kernel_ || s.kernel != nullptr)
		return report(s.kernel, s.user);
	stack_record kernel;
	if (before_.find(s.user.thread, kernel))
		return report(&kernel, s.user);
	kernel = kernel_buffer_.record();
	save_kernel(s.user.thread, kernel);
	return report(&kernel, s.user);
}

// Returns true if the thread is to be captured again.  For a thread of this
// process there are better routes; the caller itself is in the middle of this
// call.
bool
user_pass::again(const sides &s) noexcept
{
	if (s.user.error == ESRCH || s.user.thread.pid != self_)
		return again_.add(s.user);
	stack_record why = s.user;
	why.error = EAGAIN;
	why.why = STACK9_WHY_TORN;
	return again_.add(why);
}

int
user_pass::deliver(sides &s) noexcept
{
	stack_record &rec = s.user;
	if (!reported_.add(rec.thread.tid))
		return 0;
	rec.side = STACK9_USER;
	rec.pcs = user_buffer_.pcs;
	rec.max = second_buffer::frames;
	if (rec.error == 0 && which_.states != nullptr && rec.state != '?' &&
	    !is_in_state(which_.states, rec.state))
		return 0;
	if (rec.error == 0 && rec.thread.pid == self_)
		return again(s) ? 0 : report(s);
	if (rec.error == 0)
		rec.space = spaces_.of(rec.thread);
	rec.written = wanted_written();
	rec.taker = which_.taker;
	const bool is_written = may_have_written(rec);
	if (is_written)
		rec.moment = moments_.since(rec.thread, s.copy.mark);
	if (line_.is_open() && rec.taker == nullptr &&
	    (!is_written || rec.moment != 0)) {
		rec.written = is_written ? rec.written : nullptr;
		return queue(s);
	}
	const int stop = is_written ? end_all() : 0;
	return stop != 0 ? stop : unwind(s);
}

int
user_pass::unwind(sides &s) noexcept
{
	unique_space newer;
	if (s.user.error == 0) {
		finish(s.user, unwind_copy(by_, s.copy, s.user, &newer));
		spaces_.replace(s.user.thread, newer);
	}
	return again(s) ? 0 : report(s);
}

int
user_pass::queue(sides &s) noexcept
{
	try {
		while (!line_.add(s))
			if (const int stop = end_first(); stop != 0)
				return stop;
		return 0;
	} catch (const std::bad_alloc &) {
		const int stop = end_all();
		return stop != 0 ? stop : unwind(s);
	}
}

// The answer may have been too large for the line.
int
user_pass::end_written(waiting_thread &t, written_search found) noexcept
{
	if (t.user.depth == 0 && t.user.why == STACK9_WHY_RESOURCE)
		return EIO;
	if (t.user.moment == 0 || t.space == nullptr)
		return 0;
	return found == written_search::unasked ? add_written(*t.space, t.copy,
	    moment::asleep, false, t.user) : stack9::end_written(found, t.copy,
	    moment::asleep, false, t.user);
}

// A walk that could not end is made again, with what it lacked.
int
user_pass::end_first() noexcept
{
	waiting_thread &t = line_.first();
	sides s{t.has_kernel ? &t.kernel : nullptr, t.user, t.copy};
	written_search found = written_search::unasked;
	int stop;
	if (t.user.written != nullptr)
		t.user.written->clear();	// it is that of all threads
	if (t.still == waiting_thread::need::end &&
	    line_.end(found) == space_walk::done) {
		finish(t.user, end_written(t, found));
		stop = again(s) ? 0 : report(s);
	} else {
		stop = unwind(s);
	}
	line_.drop_first();
	return stop;
}

int
user_pass::end_all() noexcept
{
	int stop = 0;
	while (stop == 0 && !line_.empty())
		stop = end_first();
	return stop;
}

int
user_pass::by(user_pass_route &r) noexcept
{
	by_ = &r;
	const bool both = kernel_ && r.both_sides();
	if (kernel_ && !both)
		before_.take(pid_);
	const int error = r.each_copy(pid_, both, take, this);
	const int stop = stop_ != 0 ? stop_ : end_all();
	return stop != 0 ? stop : error;
}

int
user_pass::save(const stack9_thread &td) noexcept
{
	unique_space newer;
	stack_record user = user_buffer_.record();
	stack_record kernel = kernel_buffer_.record();
	user.written = wanted_written();
	user.taker = which_.taker;
	user.space = td.pid == self_ ? nullptr : spaces_.of(td);
	if (td.pid == self_) {
		save_user(td, user, first_, which_.may);
		if (kernel_)
			save_kernel(td, kernel);
	} else {
		save_sides(td, kernel_ ? &kernel : nullptr, user, which_.may,
		    &newer);
		// It alone has names for what was mapped meanwhile.
		spaces_.replace(user.thread, newer);
	}
	return report(kernel_ ? &kernel : nullptr, user);
}

int
user_pass::capture_again() noexcept
{
	for (const stack9_thread &td : again_.threads())
		if (save(td) != 0)
			break;
	return stop_;
}

} // namespace

int
each_user(pid_t pid, bool kernel, const origin &first,
    const pass_choice &which, record_fn *fn, void *arg) noexcept
try {
	const std::unique_ptr<user_pass> p(
	    new (std::nothrow) user_pass(pid, kernel, first, which,
	    fn, arg));
	if (p == nullptr)
		return ENOMEM;
	if (which.space != nullptr)
		p->know(*which.space);
	const int error = pass_by_routes<job::user_each>(
	    [&](user_pass_route &r) {
		    return which.may == stopping::never && r.stops() ?
			EOPNOTSUPP : p->by(r);
	    },
	    p->reported(), p->stop());
	return error != 0 ? error : p->capture_again();
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

} // namespace stack9
