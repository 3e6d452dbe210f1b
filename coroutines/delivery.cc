// Walks stacks of goroutines: in line where there is a reader, at once where
// there is none.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "delivery.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <string_view>

#include "arch/cpu.h"
#include "core/record.h"
#include "core/seam/stop_reason.h"
#include "core/user.h"
#include "os/clocks.h"

namespace stack9::coroutines {
namespace {

const char *
reason_of(parked::outcome how) noexcept
{
	using outcome = parked::outcome;
	return how == outcome::ran ?
	    "it ran each time that its stack was copied" :
	    how == outcome::left_out ?
	    "its stack is larger than what is copied" :
	    "its stack cannot be read";
}

void
copy(const parked &p, user_copy &to)
{
	to.clear();
	to.set(unwind::register_pc, p.g.pc());
	to.set(unwind::register_sp, p.g.sp());
	if (const std::uint64_t fp = p.g.fp(); fp != 0)
		to.set(unwind::register_fp, fp);
	to.stack.at = p.g.sp();
	if (!to.stack.bytes.resize(p.stack.size()))
		throw std::bad_alloc();
	std::copy(p.stack.begin(), p.stack.end(), to.stack.bytes.data());
}

} // namespace

// A goroutine is not a thread, so the record has no tid.
void
delivery::fill(stack_record &rec, const parked &p)
{
	reset(rec, {0, process_.pid, process_.start}, STACK9_USER);
	rec.pcs = pcs_.data();
	rec.max = static_cast<std::uint32_t>(pcs_.size());
	rec.route = "go";
	rec.when_ns = boot_ns();
	rec.space = space_.get();
	copy_name(rec.comm, stat_.comm);
	if (p.how == parked::outcome::copied)
		return;
	rec.error = EAGAIN;
	rec.why = p.how == parked::outcome::ran ? STACK9_WHY_TORN :
	    STACK9_WHY_MEMORY;
	rec.reason = reason_of(p.how);
}

int
delivery::take(const parked &p, std::uint64_t id, const char *state,
    bool waits)
{
	const reported t{id, state, waits};
	stack_record rec{};
	user_copy copied;
	sides s{nullptr, rec, copied};
	fill(rec, p);
	if (rec.error == 0)
		copy(p, copied);
	return line_.is_open() ? queue(s, t) : walk(s, t);
}

int
delivery::queue(sides &s, const reported &t)
{
	while (!line_.add(s))
		if (const int stop = end_first(); stop != 0)
			return stop;
	in_line_.push_back(t);
	return 0;
}

int
delivery::end_first()
{
	waiting_thread &w = line_.first();
	const reported t = in_line_.front();
	sides s{nullptr, w.user, w.copy};
	int stop;
	if (w.still == waiting_thread::need::end &&
	    line_.end() == space_walk::done) {
		stack9::finish(w.user, w.user.depth == 0 &&
		    w.user.why == STACK9_WHY_RESOURCE ? EIO : 0);
		stop = report(w.user, t);
	} else {
		stop = walk(s, t);
	}
	line_.drop_first();
	in_line_.pop_front();
	return stop;
}

int
delivery::finish()
{
	int stop = 0;
	while (stop == 0 && !line_.empty())
		stop = end_first();
	return stop;
}

// All that there is of the stack was copied.  Code may have been mapped
// meanwhile, by the process.
int
delivery::walk(sides &s, const reported &t)
{
	unique_space newer;
	stack_record &rec = s.user;
	if (rec.error == 0) {
		rec.thread = process_;
		stack9::finish(rec, unwind_copy(nullptr, s.copy, rec, &newer));
		rec.thread.tid = 0;
		if (newer != nullptr)
			space_ = std::move(newer);
	}
	return report(rec, t);
}

int
delivery::report(stack_record &rec, const reported &t)
{
	// The stack is that of Go's runtime.  Go leaves these out, too.
	if (rec.reason != nullptr &&
	    rec.reason == std::string_view(c_left_out)) {
		rec.why = STACK9_WHY_NONE;
		rec.reason = nullptr;
	}
	rec.state = t.waits ? 'S' : 'R';
	lent_.show(nullptr, &rec);
	const stack9_coroutine c{t.id, "go", t.state, &lent_.sample(), "", 0};
	return fn_(arg_, &c) == 0 ? 0 : ECANCELED;
}

} // namespace stack9::coroutines
