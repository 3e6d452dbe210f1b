// Captures a sibling thread, and defines the route "copy": a sibling on a CPU
// by the routes for threads of other processes, of which it notices nothing.  A
// signal would end those system calls early that the kernel does not restart,
// such as epoll_wait(2) and nanosleep(2), if the thread enters one just then.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sibling.h"

#include "by_routes.h"
#include "user.h"

namespace stack9 {
namespace {

class copy_route final : public sibling_route {
public:
	using sibling_route::sibling_route;

	verdict
	can() noexcept override
	{
		stack_record reported{};
		const int error = first_answer<job::user_running>(reported,
		    [](user_running_route &r) {
			const verdict v = r.can();
			return v.error != 0 ? answer::refused(v) :
			    answer::is(0);
		});
		return {error, reported.reason};
	}

	int
	save(const stack9_thread &td, stack_record &rec) noexcept override
	{
		save_sides(td, nullptr, rec, stopping::never);
		return rec.error;
	}
};

constinit copy_route by_copy("copy", "a running sibling by the routes for "
    "user stacks of other processes, undisturbed", 15);

// Captures one thread, and remembers what the routes said of it.
class sibling {
public:
	sibling(const stack9_thread &td, stack_record &rec, stopping may)
	    noexcept : td_(td), rec_(rec), may_(may) {}

	int once() noexcept;

private:
	int ask(sibling_route &) noexcept;
	bool refuses(int error) noexcept;
	int by_all() noexcept;

	const stack9_thread	&td_;
	stack_record		&rec_;
	stopping		may_;
	int			tries_ = 0;
	bool			runs_ = false, lacks_rules_ = false;
};

int
sibling::ask(sibling_route &r) noexcept
{
	return may_ == stopping::allowed || !r.disturbs() ?
	    r.save(td_, rec_) : EOPNOTSUPP;
}

// One route reads a sleeping thread, another one a running thread.  Rules of
// code that was made while the program runs are known in the process alone.
bool
sibling::refuses(int error) noexcept
{
	runs_ |= error == EAGAIN && rec_.why == STACK9_WHY_ON_CPU;
	if (error == 0 && rec_.why == STACK9_WHY_UNWIND &&
	    may_ == stopping::allowed)
		return lacks_rules_ = true;
	return is_refusal(error) || (error == EAGAIN &&
	    (rec_.why == STACK9_WHY_ON_CPU || tries_ > max_tries / 2));
}

int
sibling::by_all() noexcept
{
	return by_routes<job::sibling>(td_, STACK9_USER, rec_,
	    [this](sibling_route &r) { return ask(r); },
	    [this](int error) { return refuses(error); });
}

// It may sleep later, and is then captured in any case.
int
sibling::once() noexcept
{
	tries_++;
	int error = by_all();
	if (is_refusal(error) && lacks_rules_) {
		may_ = stopping::never;
		error = by_all();
	}
	if (error != EOPNOTSUPP || !runs_ || may_ == stopping::allowed)
		return error;
	rec_.why = STACK9_WHY_ON_CPU;
	rec_.reason = "it is on a CPU, and only a signal could ask it";
	return EAGAIN;
}

} // namespace

sibling_route &
sibling_copy_route() noexcept
{
	return by_copy;
}

int
save_sibling(const stack9_thread &td, stack_record &rec, stopping may) noexcept
{
	sibling one(td, rec, may);
	return try_until_still(rec, [&] { return one.once(); });
}

} // namespace stack9
