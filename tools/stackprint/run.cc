// Captures, counts and prints the threads that were named.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <new>
#include <optional>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <stack9.h>

#include "advice.h"
#include "async.h"
#include "capture.h"
#include "tools/lib/exits.h"
#include "tools/lib/limits.h"
#include "groups.h"
#include "interruption.h"
#include "tools/lib/output.h"
#include "printer.h"
#include "tools/lib/proc.h"
#include "tools/lib/rights.h"
#include "tools/lib/surroundings.h"
#include "tally.h"
#include "tools/lib/words.h"

namespace stackprint {
namespace {

class session {
public:
	explicit session(const options &);

	void	named();
	void	pass(pid_t pid);
	void	submitted();
	int	finish();

private:
	void	one(pid_t tid);
	void	consume(const sample_ptr &);
	void	keep(const sample_ptr &);
	void	print(const sample_ptr &);
	bool	is_beside_the_point(const stack9_sample &) const;
	int	list(pid_t pid, std::vector<pid_t> &) const;
	void	no_process(pid_t pid, int error);
	int	try_pass(pid_t pid);
	void	tell_rest();

	static int	delivered(void *, const stack9_sample *) noexcept;

	const options		&opt_;
	const bool		 gated_ = borrowed_rights();
	output			 out_;
	names			 names_;
	const view		 view_;
	const std::unique_ptr<printer> printer_;
	tally			 tally_;
	advice			 advice_;
	capture			 capture_;
	std::optional<async>	 async_;
	groups			 groups_;
	std::deque<sample_ptr>	 kept_;
	fmt::memory_buffer	 block_;
	bool			 no_memory_ = false;	// in delivered()
};

session::session(const options &o)
    : opt_(o), names_(o),
      view_{o, gated_ && !caller_sees_addresses(), gated_, names_},
      printer_(o.json ? json_printer(view_) : text_printer(view_)),
      capture_(o, gated_, advice_)
{
	tally_.sides = o.sides();
}

void
session::one(pid_t tid)
{
	consume(capture_.of(tid));
}

// A thread that was captured, or has a state, is there.
bool
is_known(const stack9_sample &s)
{
	return s.state != '?' || (s.kernel != nullptr &&
	    s.kernel->error == 0) ||
	    (s.user != nullptr && s.user->error == 0);
}

const char *
why_unknown(const stack9_sample &s)
{
	return reason(s.user != nullptr ? *s.user : *s.kernel);
}

// User stacks taken with borrowed rights are printed after the rights are given
// up for good: the caller could have written the files that name them.
void
session::consume(const sample_ptr &s)
{
	const bool known = is_known(*s);
	if (!known)
		out_.message("tid {}: {}", s->thread.tid, why_unknown(*s));
	if ((known || opt_.json) && !is_beside_the_point(*s))
		gated_ && s->user != nullptr ? keep(s) : print(s);
	tally_.add(outcome_of(*s), !opt_.tids.empty());
	advice_.add(*s);
	out_.progress();
}

// True for a kernel thread that nobody named, if only user stacks are asked
// for.
bool
session::is_beside_the_point(const stack9_sample &s) const
{
	return s.kernel == nullptr && is_kernel_thread(s) && opt_.tids.empty();
}

// Asks for kernel names while there are rights to them.
void
session::keep(const sample_ptr &s)
{
	if (s->kernel != nullptr)
		names_.ask(*s->kernel);
	kept_.push_back(s);
}

void
session::print(const sample_ptr &s)
{
	if (opt_.group) {
		groups_.add(s, names_);
		return;
	}
	block_.clear();
	printer_->thread(block_, *s);
	out_.block({block_.data(), block_.size()});
}

int
session::delivered(void *arg, const stack9_sample *sample) noexcept
{
	session &s = *static_cast<session *>(arg);
	try {
		s.consume(lent(sample));
		return !s.out_.good();
	} catch (const std::bad_alloc &) {
		s.no_memory_ = true;
		return 1;
	}
}

void
session::named()
{
	for (const pid_t tid : opt_.tids)
		if (out_.good())
			one(tid);
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
	out_.message("pid {}: {}", pid, !proc_is_mounted() ? no_proc :
	    error == ESRCH ? "no such process" : std::strerror(error));
}

// If no pass is possible, the threads are captured one by one.  Then other
// routes are tried, and at least the names and states are printed.
void
session::pass(pid_t pid)
{
	int error = try_pass(pid);
	if (error == 0 || !out_.good())
		return;
	if (tally_.threads() != 0) {
		if (error != ESRCH) {
			out_.message("the pass over all threads ended early: "
			    "{}", std::strerror(error));
			tally_.cut_short = true;
		}
		return;
	}
	std::vector<pid_t> tids;
	error = list(pid, tids);
	for (const pid_t tid : tids)
		if (out_.good())
			one(tid);
	if (tally_.threads() == 0)
		no_process(pid, error);
}

// All threads are named, because a pass has no submissions.
void
session::submitted()
{
	std::vector<pid_t> tids = opt_.tids;
	if (tids.empty())
		if (const int error = list(opt_.pid, tids); tids.empty())
			no_process(opt_.pid, error);
	async_.emplace(opt_, gated_, advice_);
	const std::size_t left = async_->of(tids, [this](const sample_ptr &s) {
		consume(s);
		return out_.good();
	});
	if (left != 0 && out_.good()) {
		out_.message("interrupted before all threads were asked: {} "
		    "missing", left);
		tally_.cut_short = true;
	}
}

void
session::tell_rest()
{
	if (!kept_.empty() && !give_up_rights())
		throw std::runtime_error("the file's rights cannot be given "
		    "up, so nothing is shown");
	for (const sample_ptr &each : kept_)
		if (out_.good())
			print(each);
	for (group *each : groups_.by_count()) {
		block_.clear();
		printer_->group(block_, *each->sample, each->members);
		out_.block({block_.data(), block_.size()});
	}
}

int
session::finish()
{
	tell_rest();
	advice_.print(out_, opt_.again, names_.hidden(),
	    view_.withheld && opt_.addresses);
	block_.clear();
	printer_->end(block_, tally_);
	out_.block({block_.data(), block_.size()});
	const int error = out_.finish();
	return error != 0 ? error : tally_.status();
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
		s.pass(o.pid);
	return s.finish();
}

} // namespace

int
run(const options &o)
{
	set_limits(o.limits);
	if (o.stop && !stop_threads()) {
		output().message("--stop: there is no route by ptrace here");
		return exit_none;
	}
	const int status = print_stacks(o);
	end_by_interruption();
	return status;
}

} // namespace stackprint
