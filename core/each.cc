// Captures the kernel stacks of many threads in one pass, and those threads
// again that ran meanwhile.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "each.h"

#include <memory>
#include <new>

#include "capture.h"
#include "record.h"
#include "os/uncancelled.h"

namespace stack9 {
namespace {

struct pass {
	pid_t		 pid;
	record_fn	*fn;
	void			*arg;
	second_tries		 again{};
	delivered_threads	 reported{};
	int			 stop = 0;
};

int
deliver(void *arg, stack_record &rec) noexcept
{
	pass &p = *static_cast<pass *>(arg);
	if (!is_of(p.pid, rec) || !p.reported.add(rec.thread.tid))
		return 0;
	rec.side = STACK9_KERNEL;
	return p.again.add(rec) ? 0 : p.stop = p.fn(p.arg, &rec, nullptr);
}

int
capture_again(pass &p) noexcept
{
	if (p.again.threads().empty())
		return 0;
	const std::unique_ptr<second_buffer> buffer(
	    new (std::nothrow) second_buffer);
	if (buffer == nullptr)
		return ENOMEM;
	for (const stack9_thread &td : p.again.threads()) {
		stack_record rec = buffer->record();
		save_kernel(td, rec);
		if (is_of(p.pid, rec) &&
		    (p.stop = p.fn(p.arg, &rec, nullptr)) != 0)
			break;
	}
	return p.stop;
}

} // namespace

bool
second_tries::add(const stack_record &rec) noexcept
{
	if (rec.error != EAGAIN || (rec.why != STACK9_WHY_ON_CPU &&
	    !worth_another_try(rec.error, rec)))
		return false;
	try {
		threads_.push_back(rec.thread);
		return true;
	} catch (const std::bad_alloc &) {
		return false;	// the record says EAGAIN
	}
}

int
each_kernel(pid_t pid, record_fn *fn, void *arg) noexcept
{
	pass p{pid, fn, arg};
	const int error = pass_by_routes<job::each>(
	    [&](pass_route &r) { return r.each(pid, deliver, &p); },
	    p.reported, p.stop);
	return error != 0 ? error : capture_again(p);
}

int
each_record(stack9_side side, pid_t pid, const origin &first,
    const pass_choice &which, record_fn *fn, void *arg) noexcept
{
	const uncancelled guard;
	switch (side) {
	case STACK9_KERNEL:
		return each_kernel(pid, fn, arg);
	case STACK9_USER:
	case STACK9_BOTH:
		return each_user(pid, side == STACK9_BOTH, first, which, fn,
		    arg);
	}
	return EINVAL;
}

} // namespace stack9
