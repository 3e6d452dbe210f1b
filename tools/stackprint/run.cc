// The threads that were named, one by one or in one pass; each is captured,
// shown and counted.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "run.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include <fmt/format.h>
#include <stack9.h>

#include "advice.h"
#include "names.h"
#include "output.h"
#include "proc.h"
#include "rights.h"
#include "show.h"
#include "tally.h"

namespace stackprint {
namespace {

constexpr std::size_t text_room = 65536;

class session {
public:
	explicit session(const options &);

	void	named();
	void	pass(pid_t pid);
	int	finish();

private:
	void	one(pid_t tid);
	void	capture(pid_t tid, stack9_record &);
	void	capture_gated(pid_t tid, stack9_record &);
	void	take(stack9_record &);
	bool	introduce(stack9_record &);
	std::vector<pid_t>	list(pid_t pid) const;
	int	try_pass(pid_t pid);

	static int	delivered(void *, const stack9_record *) noexcept;

	const options			&opt_;
	const bool			 gated_ = borrowed_rights();
	const view			 view_;
	output				 out_;
	names				 names_;
	tally				 tally_;
	advice				 advice_;
	fmt::memory_buffer		 block_;
	const std::unique_ptr<std::uintptr_t[]> pcs_;
	const std::unique_ptr<char[]>	 text_;
};

session::session(const options &o)
    : opt_(o),
      view_{o.depth, o.addresses, gated_ && !caller_sees_addresses(), gated_},
      pcs_(new std::uintptr_t[o.depth]), text_(new char[text_room])
{
}

void
fail(stack9_record &rec, int error, stack9_why why, const char *reason)
{
	rec.error = error;
	rec.why = why;
	rec.reason = reason;
	rec.depth = rec.dropped = 0;
}

// Whose stack it would be, for the header.
void
name(pid_t tid, stack9_record &rec)
{
	stack9_thread td{};
	if (stack9_thread_find(tid, &td) == 0)
		rec.thread = td;
}

// Thread by thread, the caller must be one who might trace it: asked before
// the capture, so that nothing is taken from a stranger, and after it, because
// in between the thread may have become a set-user-ID program.
void
session::capture_gated(pid_t tid, stack9_record &rec)
{
	const gate g(tid);
	int error = g.ask();
	if (error == 0) {
		capture(tid, rec);
		error = g.ask();
	} else {
		const as_caller guard;
		name(tid, rec);
	}
	if (error == EPERM)
		fail(rec, EPERM, STACK9_WHY_RIGHTS,
		    "not yours: ptrace would be refused too");
	else if (error == EOPNOTSUPP)
		fail(rec, EPERM, STACK9_WHY_RIGHTS, "not shown: this kernel "
		    "has no /proc/TID/syscall to ask whether it is yours");
	else if (error != 0)
		fail(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	if (error == EPERM || error == EOPNOTSUPP)
		advice_.not_yours();
}

void
session::capture(pid_t tid, stack9_record &rec)
{
	stack9_thread td{};
	const int error = stack9_thread_find(tid, &td);
	if (error != 0)
		fail(rec, error, error == ESRCH ? STACK9_WHY_GONE :
		    STACK9_WHY_RESOURCE, nullptr);
	else
		stack9_save(STACK9_KERNEL, &td, &rec);
}

void
session::one(pid_t tid)
{
	stack9_record rec{};
	rec.thread.tid = tid;
	rec.cpu = -1;
	rec.state = '?';
	rec.pcs = pcs_.get();
	rec.max = opt_.depth;
	rec.text = text_.get();
	rec.text_size = text_room;
	gated_ ? capture_gated(tid, rec) : capture(tid, rec);
	take(rec);
}

// Its name and state, from /proc if the capture has none.
bool
session::introduce(stack9_record &rec)
{
	const auto guard = lowered(gated_);
	return know(rec) || rec.error == 0;
}

void
session::take(stack9_record &rec)
{
	if (introduce(rec)) {
		block_.clear();
		show(block_, rec, names_, view_);
		out_.block({block_.data(), block_.size()});
	} else {
		out_.message("tid {}: {}", rec.thread.tid, reason(rec));
	}
	tally_.add(rec, !opt_.tids.empty());
	advice_.add(rec);
	out_.progress();
}

int
session::delivered(void *arg, const stack9_record *rec) noexcept
{
	try {
		session &s = *static_cast<session *>(arg);
		stack9_record copy = *rec;
		s.take(copy);
		return s.out_.good() ? 0 : EPIPE;
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
}

void
session::named()
{
	for (const pid_t tid : opt_.tids)
		if (out_.good())
			one(tid);
}

// Not for borrowed rights, which must ask before each thread.
int
session::try_pass(pid_t pid)
{
	if (gated_)
		return EPERM;
	return stack9_each(STACK9_KERNEL, pid, delivered, this);
}

std::vector<pid_t>
session::list(pid_t pid) const
{
	const auto guard = lowered(gated_);
	return threads_of(pid);
}

// Where no pass can be made the threads are taken one by one: what another
// route can do is done, and the others' names and states at least are shown.
void
session::pass(pid_t pid)
{
	int error = try_pass(pid);
	if (error == 0 || !out_.good())
		return;
	if (tally_.threads() == 0 && (error == EPERM || error == EOPNOTSUPP)) {
		error = ESRCH;
		for (const pid_t tid : list(pid))
			if (out_.good())
				one(tid);
	}
	if (error != ESRCH) {
		out_.message("the pass over all threads ended early: {}",
		    std::strerror(error));
		tally_.cut_short = true;
	} else if (tally_.threads() == 0)
		out_.message("pid {}: no such process", pid);
}

int
session::finish()
{
	advice_.give(out_, opt_.again, names_.hidden(),
	    view_.withheld && opt_.addresses);
	out_.block(tally_.line());
	const int error = out_.finish();
	return error != 0 ? error : tally_.status();
}

} // namespace

int
run(const options &o)
{
	session s(o);
	if (!o.tids.empty())
		s.named();
	else
		s.pass(o.pid);
	return s.finish();
}

} // namespace stackprint
