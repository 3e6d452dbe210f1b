// Captures every thread of a process or of the machine, and lends a sample of
// each.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <memory>
#include <new>

#include "core/arguments.h"
#include "core/each.h"
#include "core/seam/thread.h"

#include "sample.h"
#include "save.h"
#include "since.h"

namespace stack9 {
namespace {

struct pass {
	stack9_sample_fn		*fn;
	void				*arg;
	const stack9_save_options	&options;
	since_table			since{};
	lent_sample			lent{};

	bool wants(const stack9_sample &) const noexcept;
};

bool
pass::wants(const stack9_sample &s) const noexcept
{
	return (options.states == nullptr ||
	    is_in_state(options.states, static_cast<char>(s.state))) &&
	    s.since_ns >= options.since_ns;
}

int
deliver(void *arg, const stack_record *kernel, const stack_record *user)
{
	pass &p = *static_cast<pass *>(arg);
	try {
		p.lent.show(kernel, user, p.options.frames);
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
	p.lent.name_thread();
	p.since.set(p.lent.sample());
	if (!p.wants(p.lent.sample()))
		return 0;
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
	const char *const wrong = read_save_options(options, o);
	if (const int error = check_arguments({
	    {fn == nullptr, has_no_fn},
	    {!is_side(side), is_no_side},
	    {td != nullptr && td->pid < 1, has_no_pid},
	    {wrong != nullptr, wrong},
	    {o.space != nullptr && td == nullptr,
	    "options->space is not NULL, and td is"},
	    }); error != 0)
		return error;
	const origin first = STACK9_ORIGIN();
	return public_call([&] {
		if (td != nullptr)
			if (const int error = is_there(*td); error != 0)
				return error;
		const pid_t pid = td != nullptr ? td->pid : 0;
		const std::unique_ptr<pass> p(new pass{fn, arg, o});
		if ((o.flags & STACK9_SAVE_SINCE) != 0 || o.since_ns != 0)
			if (const int error = p->since.look(pid); error != 0)
				return error;
		return each_record(static_cast<stack9_side>(side), pid, first,
		    {stopping_of(o), o.states, o.space,
		    (o.flags & STACK9_SAVE_LANGUAGES) != 0}, deliver, p.get());
	});
}
