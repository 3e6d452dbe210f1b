// Captures every thread of a process or of the machine, and lends a sample of
// each.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <memory>
#include <new>

#include "core/reason.h"
#include "core/each.h"
#include "core/seam/thread.h"

#include "sample.h"
#include "save.h"

namespace stack9 {
namespace {

struct pass {
	stack9_sample_fn	*fn;
	void			*arg;
	std::uint32_t		 frames;
	lent_sample		 lent{};
};

int
deliver(void *arg, const stack_record *kernel, const stack_record *user)
{
	pass &p = *static_cast<pass *>(arg);
	try {
		p.lent.show(kernel, user, p.frames);
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
	p.lent.name_thread();
	return p.fn(p.arg, &p.lent.sample()) == 0 ? 0 : ECANCELED;
}

// A process that ended and one that never was are the same here.
int
is_there(const stack9_thread &td) noexcept
{
	stack9_thread now{};
	thread_stat stat{};
	const int error = find_thread(td.pid, now, stat);
	if (error != 0)
		return error;
	return now.pid != td.pid || (td.tid == td.pid && td.start != 0 &&
	    td.start != now.start) ? ESRCH : 0;
}

} // namespace
} // namespace stack9

extern "C" int
stack9_each(const struct stack9_thread *td, int side,
    const struct stack9_save_options *options, stack9_sample_fn *fn, void *arg)
{
	using namespace stack9;
	stack9_save_options o;
	if (fn == nullptr || !is_side(side) || (td != nullptr && td->pid < 1) ||
	    !read_save_options(options, o) ||
	    (o.space != nullptr && td == nullptr))
		return EINVAL;
	const origin first = STACK9_ORIGIN();
	return public_call([&] {
		if (td != nullptr)
			if (const int error = is_there(*td); error != 0)
				return error;
		const std::unique_ptr<pass> p(new pass{fn, arg, o.frames});
		return each_record(static_cast<stack9_side>(side),
		    td != nullptr ? td->pid : 0, first, stopping_of(o),
		    o.space, deliver, p.get());
	});
}
