// Captures the threads that the options name.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <vector>

#include <stack9.h>

#include "async.h"
#include "capture.h"
#include "follow.h"
#include "results.h"
#include "tools/lib/command_line.h"
#include "tools/lib/interruption.h"
#include "tools/lib/limits.h"
#include "tools/lib/proc.h"
#include "tools/lib/rights.h"
#include "tools/lib/selection.h"
#include "tools/lib/surroundings.h"
#include "tools/model/from_library.h"

namespace stackprint {
namespace {

class session {
public:
	explicit session(const options &o)
	    : opt_(o), results_(o, gated_),
	      capture_(o, gated_, results_.hints()) {}

	void	named();
	void	selected();
	void	submitted();

	int
	finish()
	{
		return results_.finish();
	}

private:
	sample_ptr	one(pid_t tid);
	void	pass(pid_t pid);
	void	one_by_one(pid_t pid);
	bool	select();
	bool	is_wanted(pid_t pid, pid_t tid) const;
	void	report_of_threads(const stack9_thread &);
	int	list(pid_t pid, std::vector<pid_t> &) const;
	void	list_selected(std::vector<pid_t> &);
	void	no_process(pid_t pid, int error);
	int	try_pass(pid_t pid);

	static int	delivered(void *, const stack9_sample *) noexcept;

	const options		&opt_;
	const bool		 gated_ = borrowed_rights();
	results			 results_;
	capture			 capture_;
	std::optional<async>	 async_;
	std::optional<selection> selection_;	// if not named by tid
	std::size_t		 captured_ = 0;	// wanted or not
	bool			 no_memory_ = false;	// in delivered()
};

sample_ptr
session::one(pid_t tid)
{
	captured_++;
	const sample_ptr captured = capture_.of(tid);
	results_.add(captured);
	return captured;
}

int
session::delivered(void *arg, const stack9_sample *from) noexcept
{
	session &s = *static_cast<session *>(arg);
	try {
		s.captured_++;
		const sample now = from_library(*from);
		if (!s.selection_.has_value() ||
		    s.selection_->wants(now.thread.pid, now.comm, now.state))
			s.results_.add(lent(now));
		return !s.results_.good();
	} catch (const std::bad_alloc &) {
		s.no_memory_ = true;
		return 1;
	}
}

void
session::named()
{
	sample_ptr last;
	for (const pid_t tid : opt_.tids)
		if (results_.good())
			last = one(tid);
	if (opt_.tids.size() == 1 && last != nullptr)
		report_of_threads(last->thread);
}

// A process's id names its first thread only.
void
session::report_of_threads(const stack9_thread &td)
{
	stat_facts facts;
	const lowered guard(gated_);
	if (guard && td.tid == td.pid && read_stat(td.pid, td.tid, facts) &&
	    facts.threads > 1)
		results_.out().message("pid {0} has {1} threads; -p {0} prints "
		    "them all", td.pid, facts.threads);
}

// Borrowed rights do not allow a pass: they must ask before each thread.
int
session::try_pass(pid_t pid)
{
	if (gated_)
		return EPERM;
	const stack9_thread process{pid, pid, 0};
	const stack9_save_options o = save_options(opt_);
	const int error = stack9_each(pid != 0 ? &process : nullptr,
	    opt_.sides(), &o, delivered, this);
	return no_memory_ ? ENOMEM : error;
}

int
session::list(pid_t pid, std::vector<pid_t> &tids) const
{
	const lowered guard(gated_);
	return guard ? threads_of(pid, tids) : EPERM;
}

void
session::no_process(pid_t pid, int error)
{
	results_.out().message("pid {}: {}", pid, !proc_is_mounted() ? no_proc :
	    error == ESRCH ? "no such process" : std::strerror(error));
}

// If no pass is possible, the threads are captured one by one.  Then other
// routes are tried, and at least the names and states are printed.
void
session::pass(pid_t pid)
{
	const std::size_t before = captured_;
	int error = try_pass(pid);
	if (error == 0 || !results_.good())
		return;
	if (captured_ != before) {
		if (error != ESRCH) {
			results_.out().message("the pass over all threads "
			    "ended early: {}", std::strerror(error));
			results_.counts().cut_short = true;
		}
		return;
	}
	if (pid == 0 && selection_.has_value())
		for (const pid_t each : selection_->processes())
			one_by_one(each);
	else
		one_by_one(pid);
}

void
session::one_by_one(pid_t pid)
{
	std::vector<pid_t> tids;
	const int error = list(pid, tids);
	for (const pid_t tid : tids)
		if (results_.good() && is_wanted(pid, tid))
			one(tid);
	if (tids.empty())
		no_process(pid, error);
}

// Finds the processes with the caller's rights.
bool
session::select()
{
	std::string why;
	const lowered guard(gated_);
	selection_.emplace(opt_, opt_.stop);
	const int error = guard ? selection_->find(why) : EPERM;
	if (error != 0)
		results_.out().message("{}", why.empty() ?
		    std::strerror(error) : why);
	return error == 0;
}

bool
session::is_wanted(pid_t pid, pid_t tid) const
{
	const lowered guard(gated_);
	return !selection_.has_value() ||
	    (guard && selection_->wants(pid, tid));
}

void
session::selected()
{
	if (opt_.all && !opt_.any_filter())
		pass(0);
	else if (!select())
		return;
	else if (selection_->is_machine())
		pass(0);
	else
		for (const pid_t pid : selection_->processes())
			if (results_.good()) {
				pass(pid);
				if (opt_.shows_coroutines())
					results_.add_coroutines(pid);
			}
}

// Lists the threads of all processes that are meant.
void
session::list_selected(std::vector<pid_t> &tids)
{
	if (opt_.all && !opt_.any_filter()) {
		list(0, tids);
		return;
	}
	if (!select())
		return;
	for (const pid_t pid : selection_->processes()) {
		const std::size_t before = tids.size();
		const int error = list(pid, tids);
		if (tids.size() == before)
			no_process(pid, error);
		tids.erase(std::remove_if(tids.begin() + before, tids.end(),
		    [&](pid_t tid) { return !is_wanted(pid, tid); }),
		    tids.end());
	}
}

// All threads are named, because a pass has no submissions.
void
session::submitted()
{
	std::vector<pid_t> tids = opt_.tids;
	if (tids.empty())
		list_selected(tids);
	async_.emplace(opt_, gated_, results_.hints());
	const std::size_t left = async_->of(tids, [this](const sample_ptr &s) {
		results_.add(s);
		return results_.good();
	});
	if (left != 0 && results_.good()) {
		results_.out().message("interrupted before all threads were "
		    "asked: {} missing", left);
		results_.counts().cut_short = true;
	}
}

// All that is held is given back when this returns, submissions too.
int
print_stacks(const options &o)
{
	session s(o);
	if (o.async.has_value())
		s.submitted();
	else if (!o.tids.empty())
		s.named();
	else
		s.selected();
	return s.finish();
}

} // namespace

int
run(const options &o)
{
	set_limits(o.limits);
	if ((o.waits || o.why || o.watches()) && borrowed_rights()) {
		output().message("--waits, --why, --follow, --stuck and --top "
		    "are not for rights that a program's file has: run it as "
		    "root, or without them");
		return exit_none;
	}
	if (o.watches())
		return repeat(o);
	if (o.stop && !stop_threads()) {
		output().message("--stop: there is no route by ptrace here");
		return exit_none;
	}
	const int status = print_stacks(o);
	end_by_interruption();
	return status;
}

} // namespace stackprint
